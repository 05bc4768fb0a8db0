"""The reference model of flow: what may go where, said as plainly as it can be.

A policy is the plain tree that its file holds; labels are texts; a set of labels is a ``frozenset``. Patterns
of capabilities are modelled in their plainest spelling (``"cmd:git:*"``, ``"fs:r:/srv/**"``, ``"show"``).

Imports nothing of ours.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

PERMITTED, BY_CAPABILITY, BY_BUILTIN, BY_LABEL_RULE, BY_ALLOW_LIST = range(5)
UNCLASSIFIED, TRUSTED, UNTRUSTED = range(3)
CLASSES = {None: UNCLASSIFIED, "trusted": TRUSTED, "untrusted": UNTRUSTED}
GATED = {"cmd", "sh", "node", "js", "py", "prose", "fs", "network", "mcp", "install"}
HOME, BASE = "/home/u", "/proj"


class Command(NamedTuple):
    """A command: ``words`` are its arguments without options, ``other`` what it is by another door."""

    program: str
    arguments: tuple
    words: tuple
    flags: frozenset
    other: str = ""


class Operation(NamedTuple):
    """An operation. ``hits``: its dangers, each (category, what is dangerous, options that make it so)."""

    kind: str
    leaves: tuple
    command: Command | None = None
    paths: tuple = ()
    hosts: tuple = ()
    hits: tuple = ()


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


def change(kind, asked, labels, privilege):
    """The labels after a change that a guard asks for; None where it is refused."""
    if kind == "add":
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


# 1. Capability


@lru_cache(maxsize=4096)
def fits(pattern, texts, rest="*"):
    """Whether a sequence matches a pattern: ``rest`` is any number of texts, else a text with ``*`` inside."""
    if not pattern:
        return not texts
    if pattern[0] == rest:
        return any(fits(pattern[1:], texts[at:], rest) for at in range(len(texts) + 1))
    letters = re.escape(pattern[0]).replace(r"\*", ".*").replace(r"\?", ".")
    here = bool(texts) and re.fullmatch(letters, texts[0], re.DOTALL) is not None
    return here and fits(pattern[1:], texts[1:], rest)


@lru_cache(maxsize=1024)
def parts(path):
    """The parts of a glob from the root on."""
    for short, long in (("~", HOME), ("@base", BASE)):
        if path == short or path.startswith(short + "/"):
            path = long + path[len(short) :]
    if not path.startswith(("/", "**")):
        path = f"{BASE}/{path}"
    return tuple(part for part in path.split("/") if part)


UNKNOWN, GUESSED = None, ""
"""A path or a host that is not known; a host of which it is only supposed that there is one."""


def subjects(op):
    """What capabilities judge: (category, what, gated)."""
    own = op.kind not in ("cmd", "sh", "node", "js", "py", "prose")
    found = [("cmd", op.command, True)] if op.command else []
    found += [(op.kind, (), True)] if not own and not op.command else []
    found += [("fs", path, own) for path in op.paths] + [("network", host, own) for host in op.hosts]
    if op.kind in ("read", "write") and not op.paths:
        found.append(("fs", ("w" if op.kind == "write" else "r", UNKNOWN), own))
    if op.kind == "fetch" and not op.hosts:
        found.append(("network", UNKNOWN, own))
    if op.command and not op.hosts and op.command.other == "network":
        found.append(("network", GUESSED, False))
    if own and op.kind not in ("read", "write", "fetch"):
        mine = [leaf.split(":")[2:] for leaf in op.leaves if leaf.startswith(f"op:{op.kind}:")]
        found.append((op.kind, tuple(mine[0]) if mine else (), op.kind in GATED))
    return found


DENY, ALLOW, OPT_IN = {"r": "r", "w": "w"}, {"r": "r", "w": "rw"}, {"r": "r", "w": "rw", "rw": "rw"}
"""The modes of files that an entry is about, by the kind of list; who may write may read."""


def matches(entry, subject, kind):
    """Whether an entry that is no whole category is about a subject; a deny takes what is not known for a match."""
    category, what, _ = subject
    named, *tokens = entry.split(":")
    if named != category or whole(entry):
        return False
    if category == "cmd":
        program, *rest = tokens
        if kind is ALLOW:
            return fits((program, *(rest or ["*"])), (what.program, *what.arguments))
        options = {o for o in rest if o.startswith("-")}
        words = [word for word in rest if not word.startswith("-")]
        return options <= what.flags and fits((program, *words, "*"), (what.program, *what.words))
    if category == "fs":
        mode, path = what
        if mode not in kind[tokens[0]]:
            return False
        if path is UNKNOWN:
            return kind is DENY or parts(tokens[1]) == ("**",)
        return fits(parts(tokens[1]), parts(path), "**")
    if category == "network":
        if not what:
            return what is UNKNOWN and kind is DENY
        if tokens[0].startswith("*."):
            return what.endswith(tokens[0][1:]) and what != tokens[0][1:]
        return what == tokens[0]
    return fits((*tokens, "*") if kind is not ALLOW or len(tokens) == 1 else tuple(tokens), tuple(what))


def whole(entry):
    """Whether an entry lists a whole category."""
    return entry.split(":")[1:] in ([], ["*"])


def opts_in(entry, hit):
    """Whether an entry opts into a danger: about it, and naming all options that make it one if it names any."""
    category, what, options = hit
    named = {token for token in entry.split(":")[2:] if token.startswith("-")}
    if whole(entry):
        return entry.split(":")[0] == category
    return matches(entry, (category, what, True), OPT_IN) and (not named or options <= named)


def capability(policy, op):
    """Whether the operation may happen at all."""
    lists = policy.get("capabilities")
    if lists is None:
        return True
    allow, deny, danger = lists.get("allow"), lists.get("deny", []), lists.get("danger", [])

    def allowed(subject):
        return any(matches(entry, subject, ALLOW) for entry in allow or [])

    def denied(subject):
        category, what, _ = subject
        if any(matches(entry, subject, DENY) for entry in deny):
            return True
        wholes = {entry.split(":")[0] for entry in deny if whole(entry)}
        if category == "cmd" and what.other in wholes - {"network"}:
            return True
        return category in wholes and not allowed(subject)

    def missing(subject):
        category, _, gated = subject
        speaks = any(entry.split(":")[0] == category for entry in allow)
        return not any(e.split(":")[0] == category and whole(e) for e in allow) and (
            (gated or speaks) and not allowed(subject)
        )

    found = subjects(op)
    if any(map(denied, found)) or not all(any(opts_in(entry, hit) for entry in danger) for hit in op.hits):
        return False
    return allow is None or not any(map(missing, found))


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
        placed = [place(policy, folder[4:], True) for folder in folders]
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
    folders = [label[4:] for label in labels if label.startswith("dir:")]
    more = set().union(*(given(policy, folder) for folder in folders))
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
