"""Policies in all their spellings, brought to the plainest one, which is what the model is about.

``project`` beside the keys of a policy says where it belongs: ``base``, from which relative globs are read, and
``name``.

Imports nothing of ours.
"""

from __future__ import annotations

ALIASES = {"filesystem": "fs", "net": "network", "python": "py", "@keychain": "keychain"}
MODES = {"r": "r", "w": "w", "rw": "rw", "read": "r", "write": "w"}
ALL = ("*", "all", True, None)


def plain(policy):
    """The policy with its capabilities as plain words, and globs as its project reads them."""
    made = {key: value for key, value in policy.items() if key != "project"}
    lists = policy.get("capabilities")
    if lists is not None:
        made["capabilities"] = {key: words(given) for key, given in lists.items() if given is not None}
    base = policy.get("project", {}).get("base")
    return anchored(made, base) if base else made


def words(given):
    """The entries of a list as words; ``cmd:`` only mentions a category."""
    found = []
    for item in [given] if isinstance(given, dict) else given:
        if isinstance(item, str):
            name, colon, rest = item.removeprefix("op:").partition(":")
            mode, _, glob = rest.partition(":")
            rest = f"{MODES[mode]}:{glob}" if colon and category(name) == "fs" else rest
            found.append(entry(category(name), rest or None))
        else:
            for name, value in item.items():
                found += [f"{category(name)}:", *_entries(category(name), value)]
    return found


def category(name):
    """A category by its usual name."""
    return ALIASES.get(name, name)


def entry(name, rest):
    """An entry about a category, or (where ``rest`` stands for everything) about all of it."""
    if rest in ALL:
        return name
    return f"{name}:{rest.lower().rstrip('.')}" if name == "network" else f"{name}:{rest}"


def _entries(name, value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _nested(name, key, inner)
    else:
        for item in value if isinstance(value, list) else [value]:
            yield from _entries(name, item) if isinstance(item, dict) else [entry(name, item)]


def _nested(name, key, inner):
    each = inner if isinstance(inner, list) else [inner]
    if name == "fs":
        yield from (f"fs:{MODES[key]}:{glob}" for glob in each)
    elif name == "network":
        yield from (entry(name, domain) for domain in each)
    elif isinstance(inner, dict):
        yield f"{name}:{key}:* ({', '.join(method.upper() for method in inner['methods'])})"
    else:
        yield from (f"{name}:{key}:{'*' if one in ALL else one}" for one in each)


def anchored(policy, base):
    """The policy with relative globs written from ``base`` on."""

    def glob(text):
        if text == "@base" or text.startswith("@base/"):
            return base + text[5:]
        relative = not text.startswith(("/", "**", "~"))
        return f"{base}/{text}" if relative else text

    def word(text):
        head, _, path = text.partition(":")
        mode, colon, path = path.partition(":")
        return f"{head}:{mode}:{glob(path)}" if head == "fs" and colon else text

    made = dict(policy)
    lists = policy.get("capabilities", {})
    if lists:
        made["capabilities"] = {key: [word(each) for each in given] for key, given in lists.items()}
    if "data" in policy:
        made["data"] = {}
        for key, labels in policy["data"].items():
            more = [labels] if isinstance(labels, str) else labels
            made["data"].setdefault(f"path:{glob(key[5:])}", []).extend(more)
    if "sources" in policy:
        made["sources"] = {}
        for name, value in policy["sources"].items():
            places = value
            if isinstance(value, dict):  # of two that come to the same, the worse
                places = {}
                for key, trust in sorted(value.items(), key=lambda item: item[1]):
                    places[key if key == "default" else glob(key)] = trust
            made["sources"][name] = places
    return made
