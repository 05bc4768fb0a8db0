"""The reference model of guards and environments: what they can take from what policy permits.

Imports nothing of ours.
"""

from __future__ import annotations

# Guards


def evaluate(guards, first):
    """What guards make of a value. A guard: whether it is about a value, its answer, and whether it comes last.

    Answers are ("pass" | "deny" | "retry" | "refused", None) or ("put", value); "refused" is a change that it may
    not make, and denies where the change would have acted. Each guard that is about what was asked for
    is asked about it, then about what has become of it, which is what its change acts on; then guards that are
    only about what has become of it; in the end all of these are asked about what would flow. Those that come
    last are asked when all others are done with, in the same way.
    """
    now, answers, asked = first, [], []

    def ask(guard, value):
        return guard[1](value) if guard[0](value) else ("pass", None)

    def waits(guard, late):
        return guard not in asked and (late or not guard[2]) and (guard[0](first) or guard[0](now))

    for late in (False, True):
        while waiting := [guard for guard in guards if waits(guard, late)]:
            for guard in waiting:
                answers.append(ask(guard, first)[0].replace("refused", "pass"))
                kind, value = ask(guard, now)
                answers.append(kind.replace("refused", "deny"))
                now = value if kind == "put" else now
            asked += waiting
        answers += [ask(guard, now)[0] for guard in asked]
    if "deny" in answers:
        return "deny", None
    return ("retry", None) if "retry" in answers else ("flows", now)


# Environments


def host_covers(pattern, host):
    """Whether every host that ``host`` stands for is one that ``pattern`` stands for."""
    return pattern == host or (pattern.startswith("*.") and host.removeprefix("*").endswith(pattern[1:]))


def shows(roots, path):
    """What a path inside shows: (path of the host, may it be written), or None."""
    best = None
    for write, all_ in ((False, roots[0]), (True, roots[1])):
        for host, inside in all_:
            around = inside == "/" or path == inside or path.startswith(inside + "/")
            if around and (best is None or len(inside) >= len(best[0])):
                best = (inside, host, write)
    if best is None:
        return None
    inside, host, write = best
    rest = [part for part in path[len(inside) if inside != "/" else 0 :].split("/") if part]
    return "/" + "/".join([*(part for part in host.split("/") if part), *rest]), write


def no_wider(parent, child, paths):
    """Whether a child grants no more, field by field; ``paths`` are those at which roots are compared."""

    def subset(key):
        return parent[key] is None or (child[key] is not None and child[key] <= parent[key])

    def limit(key):
        return parent[key] is None or (child[key] is not None and child[key] <= parent[key])

    def net():
        wide, close = parent["net"], child["net"]
        if wide == "host" or close == "none":
            return True
        return (
            not isinstance(wide, str)
            and not isinstance(close, str)
            and all(any(host_covers(pattern, host) for pattern in wide) for host in close)
        )

    def roots():
        if parent["roots"] is None or child["roots"] is None:
            return parent["roots"] is None
        for path in paths:
            had, shown = shows(parent["roots"], path), shows(child["roots"], path)
            if shown and (not had or had[0] != shown[0] or (shown[1] and not had[1])):
                return False
        return True

    def cwd():
        here = child["cwd"]
        if here in (parent["cwd"], "/tmp") or child["roots"] is None:
            return True
        plain = here == "/" or (
            here[:1] == "/" and all(part not in ("", ".", "..") for part in here[1:].split("/"))
        )
        return plain and shows(child["roots"], here) is not None

    names = parent["names"]
    return (
        all(parent[key] == child[key] for key in ("provider", "image", "snapshot"))
        and (parent["snapshots"] or not child["snapshots"])
        and child["names"] in (names, [*names, *child["names"][-1:]])
        and cwd()
        and all(map(subset, ("auth", "tools", "mcps", "vars")))
        and all(map(limit, ("mem", "cpu", "time", "processes", "file", "output")))
        and net()
        and roots()
        and parent["labels"] <= child["labels"]
        and "trusted" not in child["labels"] - parent["labels"]
    )


def enclosed(outer, inner, paths):
    """What an environment has that is opened inside of another, or None where it would have more; ``paths`` are those inside at
    which it is looked at.

    Wherever the first confines, the second shows no place of the machine that the first does not show somewhere. Names that are
    left out are those of the first, limits the smaller ones, labels those of both.
    """

    def subset(key):
        return outer[key] is None or inner[key] is None or inner[key] <= outer[key]

    def given(host, write):
        for root_host, inside in (*outer["roots"][0], *outer["roots"][1]):
            below = "/" if root_host == "/" else root_host + "/"
            if host == root_host or host.startswith(below):
                rest = host[len(below) :] if host != root_host else ""
                place = "/".join([inside.rstrip("/"), *([rest] if rest else [])]) or "/"
                shown = shows(outer["roots"], place)
                if shown and shown[0] == host and (shown[1] or not write):
                    return True
        return False

    def roots():
        if outer["roots"] is None:
            return True
        if inner["roots"] is None or (inner["provider"] == "local" != outer["provider"]):
            return False
        found = [shows(inner["roots"], path) for path in paths]
        return all(given(*each) for each in found if each)

    def net():
        wide, close = outer["net"], inner["net"]
        if wide == "host" or close == "none":
            return True
        return (
            not isinstance(wide, str)
            and not isinstance(close, str)
            and all(any(host_covers(pattern, host) for pattern in wide) for host in close)
        )

    if not (
        roots()
        and net()
        and all(map(subset, ("auth", "tools", "mcps")))
        and (outer["provider"] == "local" or inner["vars"] <= outer["vars"])
        and "trusted" not in inner["labels"] - outer["labels"]
    ):
        return None
    least = {
        key: min((each for each in (outer[key], inner[key]) if each is not None), default=None)
        for key in ("mem", "cpu", "time", "processes", "file", "output")
    }
    named = {key: outer[key] if inner[key] is None else inner[key] for key in ("auth", "tools", "mcps")}
    return {**inner, **least, **named, "labels": outer["labels"] | inner["labels"]}
