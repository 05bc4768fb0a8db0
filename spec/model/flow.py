"""The reference model of flow: what may go where, said as plainly as it can be.

A policy is the plain tree that its file holds (see ``spelling.plain``); labels are texts; a set of labels is a
``frozenset``.

Imports nothing of ours.
"""

from __future__ import annotations

from urllib.parse import unquote

from model.capabilities import capability, fits, parts

PERMITTED, BY_CAPABILITY, BY_BUILTIN, BY_LABEL_RULE, BY_ALLOW_LIST = range(5)
UNCLASSIFIED, TRUSTED, UNTRUSTED = range(3)
CLASSES = {None: UNCLASSIFIED, "trusted": TRUSTED, "untrusted": UNTRUSTED}


# Labels


def covers(pattern, label):
    """Whether a pattern is a label, whole segments of its beginning, or ``*``."""
    return pattern in ("*", label) or label.startswith(pattern + ":")


def depth(pattern):
    """How many segments it has; ``*`` has none."""
    return 0 if pattern == "*" else len(pattern.split(":"))


def holds(labels, prefix):
    """Whether one of the labels is the prefix or stands under it."""
    return any(covers(prefix, label) for label in labels)


def is_origin(label):
    """Whether it says where a value came from."""
    return label.split(":")[0] in ("src", "dir", "llm", "influenced")


def folder(label):
    """The folder that a ``dir:`` label stands for; one that is not a path is taken for the root."""
    path = label.removeprefix("dir:")
    return unquote(path, "utf-8", "surrogateescape") if path.startswith("/") else "/"


def join(*sets):
    """The union; ``trusted`` only if some set has it, and every one that has an origin or is untrusted."""
    stained = [s for s in sets if "untrusted" in s or any(map(is_origin, s))]
    survives = any("trusted" in s for s in sets) and all("trusted" in s for s in stained)
    return frozenset().union(*sets) - (frozenset() if survives else {"trusted"})


def add(labels, asked):
    """Labels with others added: ``untrusted`` in place of ``trusted``, ``trusted`` last."""
    if "untrusted" in asked:
        labels = labels - {"trusted"} | {"untrusted"}
    return labels | asked - {"trusted"} | ({"trusted"} & asked)


def change(kind, asked, labels, privilege, strict=False):
    """The labels after a change that a guard asks for; None where it is refused, ``strict`` a conflict too."""
    if kind == "add":
        if strict and "trusted" in asked and "untrusted" in labels | asked:
            return None
        vouched = "trusted" in labels or "untrusted" in labels
        upward = "trusted" in asked and "untrusted" not in asked and any(map(is_origin, labels))
        return None if upward and not vouched and not privilege else add(labels, asked)
    if not privilege:
        return None
    if kind == "bless":
        return labels - {"untrusted"} | {"trusted"}
    if kind == "remove":
        return frozenset(label for label in labels if not any(covers(a, label) for a in asked))
    return frozenset(label for label in labels if label.split(":")[0] in ("src", "dir"))


# 2. Risks


def several(value):
    """A text, or a list of them, as a list."""
    return [value] if isinstance(value, str) else list(value)


def with_risks(policy, leaves):
    """The leaves, and the risks of whatever pattern covers one of them."""
    table = policy.get("operations", {}).items()
    return {*leaves} | {r for p, risks in table for leaf in leaves if covers(p, leaf) for r in several(risks)}


# 3. Stance


def class_of(policy, origin):
    """How the most specific entry of ``sources`` classifies an origin; without one, ``unlabeled`` does."""
    entries = {}
    for name, value in policy.get("sources", {}).items():
        entries[name] = value if isinstance(value, str) else value.get("default")
    about = [name for name in entries if covers(name, origin) and entries[name]]
    if about:
        return CLASSES[entries[max(about, key=depth)]]
    return CLASSES[policy.get("defaults", {}).get("unlabeled")]


def globs(policy):
    """The globs of ``sources`` with their classes."""
    for name, value in policy.get("sources", {}).items():
        if name.startswith("dir:") and isinstance(value, str):
            yield f"{name[4:]}/**", CLASSES[value]
        elif not isinstance(value, str):
            yield from ((glob, CLASSES[trust]) for glob, trust in value.items() if glob != "default")


def place(policy, path, directory):
    """The class that the most specific glob gives to a path; of two alike, the worse."""
    found = []
    for glob, trust in globs(policy):
        speaks = not directory or glob.endswith("**") or trust == UNTRUSTED
        if speaks and fits(parts(glob), parts(path), "**"):
            wild = [at for at, part in enumerate(parts(glob)) if "*" in part or "?" in part]
            found.append((wild[0] if wild else len(parts(glob)), trust))
    return max(found)[1] if found else UNCLASSIFIED


def suspect(policy, labels):
    """Whether the origins alone are reason enough to distrust."""
    origins = {label for label in labels if is_origin(label)}
    folders = {label for label in origins if label.startswith("dir:")}
    classes = [class_of(policy, label) for label in origins - folders - {"src:file"}]
    if folders or "src:file" in labels:
        placed = [place(policy, folder(label), True) for label in folders]
        classes += placed
        if not any(placed) or "untrusted" in labels:
            classes.append(class_of(policy, "src:file"))
    return UNTRUSTED in classes


def given(policy, path):
    """The labels that ``data`` gives to what lies at a path."""
    about = policy.get("data", {}).items()
    return {w for g, ws in about if fits(parts(g[5:]), parts(path), "**") for w in several(ws)}


def doubted(policy, labels):
    """Whether allow lists are closed: origins that are distrusted, and nobody vouches."""
    return suspect(policy, labels) and ("untrusted" in labels or "trusted" not in labels)


def is_untrusted(policy, labels):
    """Whether the stance is untrusted."""
    return "untrusted" in labels or doubted(policy, labels)


def effective(policy, labels):
    """The labels that rules are asked about."""
    folders = [folder(label) for label in labels if label.startswith("dir:")]
    more = set().union(*(given(policy, path) for path in folders))
    return labels | more | ({"untrusted"} if is_untrusted(policy, labels) else set())


def entry_labels(policies, source, path):
    """What a value takes as it enters: the labels of its place, and ``untrusted`` where that is distrusted."""
    found = set()
    for policy in policies:
        found |= given(policy, path) if path else set()
        if path and source.startswith("src:file") and any(True for _ in globs(policy)):
            trust = place(policy, path, False) or class_of(policy, "src:file")
            found |= {"untrusted"} if trust == UNTRUSTED else set()
    return frozenset(found)


# 4. to 6.


def keeps_builtin(policy, leaves, labels):
    """Whether no built-in rule that is on is broken."""
    rules = policy.get("defaults", {}).get("rules", ())
    exfil, untrusted = holds(leaves, "exfil"), holds(labels, "untrusted")
    return not (
        ("no-secret-exfil" in rules and holds(labels, "secret") and exfil)
        or ("no-sensitive-exfil" in rules and holds(labels, "sensitive") and untrusted and exfil)
        or ("no-untrusted-destructive" in rules and untrusted and holds(leaves, "destructive"))
        or ("no-untrusted-privileged" in rules and untrusted and holds(leaves, "privileged"))
    )


def may_flow(policy, label, leaf):
    """Whether every deny about both has an exception that is about both, and strictly more specific."""
    rules = policy.get("labels", {}).items()
    pairs = {
        key: [
            (about, target)
            for about, rule in rules
            if covers(about, label)
            for target in several(rule.get(key) or [])
            if covers(target, leaf)
        ]
        for key in ("deny", "allow")
    }
    return all(
        any(
            covers(about, other) and covers(target, aim) and (about, target) != (other, aim)
            for other, aim in pairs["allow"]
        )
        for about, target in pairs["deny"]
    )


def is_listed(policy, label, leaf):
    """Whether every rule about the label that has an allow list lists the leaf."""
    return all(
        any(covers(target, leaf) for target in several(rule["allow"]))
        for about, rule in policy.get("labels", {}).items()
        if rule.get("allow") is not None and covers(about, label)
    )


def decide(policy, op, labels):
    """What one policy says: PERMITTED, or the first step that refuses."""
    if not capability(policy, op):
        return BY_CAPABILITY
    leaves, full = with_risks(policy, op.leaves), effective(policy, labels)
    if not keeps_builtin(policy, leaves, full):
        return BY_BUILTIN
    if not all(may_flow(policy, label, leaf) for label in full for leaf in leaves):
        return BY_LABEL_RULE
    if doubted(policy, labels) and not all(is_listed(policy, t, o) for t in labels for o in leaves):
        return BY_ALLOW_LIST
    return PERMITTED


def authorize(policies, op, labels):
    """What several say: the first refusal as (number of the policy, step), or None when each permits."""
    said = [(number, decide(policy, op, labels)) for number, policy in enumerate(policies)]
    return next((pair for pair in said if pair[1] != PERMITTED), None)


def influences(policies, labels, model):
    """Whether a result takes ``influenced``: of a model, under a policy with the rule that distrusts the input."""
    rule = "untrusted-llms-get-influenced"
    return model and any(
        rule in policy.get("defaults", {}).get("rules", ()) and is_untrusted(policy, labels)
        for policy in policies
    )


def result_labels(policies, inputs, pc, source, model):
    """The labels of what comes back: all that went in, the branches, where it comes from, the marks of a model."""
    seen = join(*inputs, pc, source)
    marks = [{"llm"}] if model else []
    marks += [{"influenced"}] if influences(policies, seen, model) else []
    return join(seen, *map(frozenset, marks))
