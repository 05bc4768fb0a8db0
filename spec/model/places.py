"""The reference model of what is known of files by their paths: what was written, what may have been, and who answers for it.

Imports nothing of ours. Events, in their order:

    ["write", path, digest, labels, named]   a file was written; ``named``: whoever did it named it
    ["spread", id, path, labels, named]      any file at or below a path may have been written
    ["pending", id, path, labels]            the same, until it is told what was written
    ["narrow", id]                           it was told: what was written are events of their own, and nothing else was
    ["vouch", path, labels]                  a person answers for what lies at or below a path: the labels are theirs no more
"""

from __future__ import annotations


def lies_in(path, folder):
    """Whether a path is a folder, or below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def known(events):
    """(labels of what was written at each path, labels of what was spread at each path, paths and places that were named, with labels,
    labels of each content) after these events; what has none is left out."""
    written, contents, spread, pending, named, by_name = {}, {}, {}, {}, {}, set()
    for kind, *rest in events:
        if kind == "write":
            path, digest, labels, is_named = rest
            had = bool(written.get(path, ("", frozenset()))[1])
            # One that was named, and says something of it, stays so, whatever code makes of it.
            if is_named:
                by_name.add(path)
            elif not (path in by_name and had):
                by_name.discard(path)
            written[path] = (digest, frozenset(labels))
            contents[digest] = contents.get(digest, frozenset()) | frozenset(labels)
        elif kind == "spread":
            _, path, labels, is_named = rest
            spread[path] = spread.get(path, frozenset()) | frozenset(labels)
            if is_named:
                named[path] = named.get(path, frozenset()) | frozenset(labels)
        elif kind == "pending":
            id, path, labels = rest
            pending[id] = (path, frozenset(labels))
        elif kind == "narrow":
            pending.pop(rest[0], None)
        else:
            top, labels = rest[0], frozenset(rest[1])
            for path, (digest, had) in written.items():
                if lies_in(path, top):
                    written[path] = (digest, had - labels)
                    contents[digest] = contents[digest] - labels
            spread = {p: had - labels if lies_in(p, top) else had for p, had in spread.items()}
            named = {p: had - labels if lies_in(p, top) else had for p, had in named.items()}
            pending = {i: (p, had - labels if lies_in(p, top) else had) for i, (p, had) in pending.items()}
    places = dict(spread)
    for path, labels in pending.values():
        places[path] = places.get(path, frozenset()) | labels
    every = {path: labels for path, (_, labels) in written.items()}
    for path, labels in every.items():
        if path in by_name:
            named[path] = named.get(path, frozenset()) | labels
    return tuple(
        {key: value for key, value in found.items() if value} for found in (every, places, named, contents)
    )
