"""Everything that decides what may flow where, as loop-free functions over integers and truth values.

Each function here is translated to Coq from this source text and proven as it stands (``spec/translate.py``,
``spec/coq``), so the text stays within the same small subset as the kernels of the verdict: parameters and
results are ``int`` or ``bool``; bodies are ``if``, ``return``, arithmetic, comparison, ``and``, ``or``,
``not``, ``min``, ``max`` and calls of kernels above; constants are integers.

One layer decides about an operation O with leaves o and a taint T of labels t in six steps; the loops over
labels, leaves and rules are the shell in ``layer.py``, and what they find is decided here:

1. capability: ``capability``
2. risks: a risk is one more leaf, so there is nothing to decide
3. stance: ``class_of``, ``worse``, ``stance``; T' is T and ``untrusted`` if ``is_untrusted``
4. built-in rules: ``builtin``
5. label rules: a deny of label L and target D that covers (t, o) holds unless an allow that covers (t, o)
   ``overrides`` it
6. allow lists: enforced if ``closes``

``layer`` gives the first step that refuses, ``both`` composes layers.

Every function is total: it has a meaning for every integer, not only for those that occur.
"""

from __future__ import annotations

# What an origin is classified as, and the stance of a taint.
UNCLASSIFIED = 0
TRUSTED = 1
UNTRUSTED = 2
UNTRUSTED_BY_DEFAULT = 3

# What a layer answers: permitted, or the step that refuses.
PERMITTED = 0
BY_CAPABILITY = 1
BY_BUILTIN = 2
BY_LABEL_RULE = 3
BY_ALLOW_LIST = 4


def class_of(entry: int, default: int) -> int:
    """The class of one origin: that of its most specific entry in ``sources``, else ``defaults.unlabeled``."""
    return default if entry == UNCLASSIFIED else entry


def worse(one: int, other: int) -> int:
    """The worse of two classes: UNTRUSTED before TRUSTED before UNCLASSIFIED."""
    return max(one, other)


def stance(untrusted: bool, trusted: bool, origin: bool, worst: int) -> int:
    """Step 3: the stance of a taint that holds ``untrusted``, ``trusted``, any origin; ``worst`` over origins.

    UNTRUSTED_BY_DEFAULT where the origins alone are reason enough to distrust, whether or not ``untrusted``
    has been declared as well: to say it aloud never takes a restriction away.
    """
    if untrusted:
        return UNTRUSTED_BY_DEFAULT if origin and worst >= UNTRUSTED else UNTRUSTED
    if trusted:
        return TRUSTED
    if not origin:
        return UNCLASSIFIED
    if worst >= UNTRUSTED:
        return UNTRUSTED_BY_DEFAULT
    return worst


def is_untrusted(stance_found: int) -> bool:
    """Whether step 3 adds ``untrusted`` to the taint."""
    return stance_found >= UNTRUSTED


def capability(
    denied: bool, dangerous: bool, opted_in: bool, allow_present: bool, allow_matched: bool
) -> int:
    """Step 1: 0 permitted; 1 on the deny list; 2 dangerous and not opted into; 3 not on the allow list.

    An absent allow list allows everything, an empty one nothing.
    """
    if denied:
        return 1
    if dangerous and not opted_in:
        return 2
    if allow_present and not allow_matched:
        return 3
    return 0


def builtin(
    secret: bool,
    sensitive: bool,
    untrusted: bool,
    exfil: bool,
    destructive: bool,
    privileged: bool,
    no_secret_exfil: bool,
    no_sensitive_exfil: bool,
    no_untrusted_destructive: bool,
    no_untrusted_privileged: bool,
) -> int:
    """Step 4: the number of the first built-in rule that is on and violated, in the order given; else 0."""
    if no_secret_exfil and secret and exfil:
        return 1
    if no_sensitive_exfil and sensitive and untrusted and exfil:
        return 2
    if no_untrusted_destructive and untrusted and destructive:
        return 3
    if no_untrusted_privileged and untrusted and privileged:
        return 4
    return 0


def overrides(deny_label: int, deny_target: int, allow_label: int, allow_target: int) -> bool:
    """Step 5: whether an allow is strictly more specific than a deny, when both cover the same label and leaf.

    The numbers are depths: segments of the rule's label and of its target, 0 for ``*``. Of two prefixes of
    one label the deeper is the more specific, so depths are enough. A tie denies.
    """
    if allow_label < deny_label or allow_target < deny_target:
        return False
    return allow_label > deny_label or allow_target > deny_target


def closes(stance_found: int) -> bool:
    """Step 6: whether allow lists are closed, that is, whether what they do not list is refused."""
    return stance_found >= UNTRUSTED_BY_DEFAULT


def layer(capability_found: int, builtin_found: int, label_rule: bool, allow_list: bool) -> int:
    """The first step that refuses, or PERMITTED."""
    if capability_found >= 1:
        return BY_CAPABILITY
    if builtin_found >= 1:
        return BY_BUILTIN
    if label_rule:
        return BY_LABEL_RULE
    if allow_list:
        return BY_ALLOW_LIST
    return PERMITTED


def both(one: int, other: int) -> int:
    """Two layers, one after the other: permitted if both permit, else the first refusal."""
    return other if one == PERMITTED else one


def influenced(rule_on: bool, model: bool, untrusted: bool) -> bool:
    """Whether a result takes ``influenced``: a model made it, with something untrusted in what it saw."""
    return rule_on and model and untrusted


def tighter(one: int, other: int) -> int:
    """The tighter of two limits; 0 or less stands for no limit."""
    if one <= 0:
        return max(0, other)
    if other <= 0:
        return one
    return min(one, other)
