"""Addresses: which of them a text has shown to a session, and which of those that a model says nobody has shown.

The two sides read differently, and each errs to the side of a refusal. Of what is *shown*, every way to say where an
address ends is kept: whoever shows one can show all of them. What a model *says* is one address up to the next blank, since
clients send quotes, brackets and punctuation as well, so that what follows an address could carry a secret out.

1. An address begins with ``//``, also with a scheme before it; with a scheme of the web or of files and ``:``, whatever
   slashes follow; with two backslashes that stand where a word begins; with ``www.``.
2. Behind an address that was shown may stand three signs in a model's text: brackets, quotes and stars that were opened
   before it, and one sign of punctuation. That says no more than which of several addresses is chosen.
3. An argument that is one address, the ``url`` of a fetch, and a word of shell text have no such end: they are it exactly.
4. An address of a host that policy opens (``session.hosts``) may be made up. Its host stands there plainly, without
   anything that one client takes for the host and another for a name of a user.
5. Clients take line breaks and tabs out of an address before they read it, and pages write signs as ``&#47;``. An address that
   begins only then is one that nobody has shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from sluicegate.patterns import late

LONGEST: Final = 4096
"""Characters of an address; one that is longer is not known again."""

LONGEST_CODE: Final = 128 * 1024
"""Characters of shell text that is read for its words."""

_SCHEMES: Final = "https?|wss?|ftps?|sftp|tftp|scp|smb|gopher|gemini|ldaps?|dict|telnet|rtsp|mqtt|git|ssh"
# Each way to begin is found by characters that do not repeat: with a scheme of any length before it, the search was a square.
_BEGIN: Final = late(
    rf"(?<![A-Za-z0-9+.-])(?:{_SCHEMES}):(?=[^\s:])|(?<![\\/])[\\/]{{2,}}(?=[^\s\\/])|(?<!\w)www\.(?=\S)",
    re.IGNORECASE,
)
_SCHEME_BEFORE: Final = late(r"[A-Za-z][A-Za-z0-9+.-]*:\Z")
_MOST_SCHEME: Final = 64
_SHARE: Final = late(r"[\w-]{1,255}[.\\/:@]")
_BLANK: Final = late(r"[ \t\n\r\f\v]")
_BREAK: Final = late(r"[\t\n\r]")
_QUOTE: Final = late(r"[\s\"'<>`]")
_CLOSE: Final = late(r"[\s\"'<>`\\()\[\]{},;|]")
_OPENED: Final = {")": "(", "]": "[", "}": "{", ">": "<"} | {each: each for each in "\"'`*_|"}
_MARKS: Final = ".,;:!?"
_AFTER: Final = "".join(_OPENED) + _MARKS
_MOST_AFTER: Final = 3
_STRIPPED: Final = 8
_LOOK_BACK: Final = 1000
_PLAIN: Final = late(
    r"(?:(?:[A-Za-z][A-Za-z0-9+.-]*:)?//|(?=www\.))([A-Za-z0-9.-]+)(?::[0-9]{1,5})?(?=[/?#]|$)", re.IGNORECASE
)
_UNSAFE: Final = late(r"[\x00-\x20\x7f\"'<>`\\]")
_NAMED: Final = late(r".*(?:ur[li]s?|href|links?|endpoint|webhook)|(?:.*[^a-z])?src", re.IGNORECASE)

Judge = Callable[[str], bool]


def shown(text: str) -> Iterator[str]:
    """The addresses that a text shows, each in every way to say where it ends."""
    close = part_end = word_end = -1
    for start, after in _begins(text):
        if after <= close:  # in the path of another
            continue
        close = _end(_CLOSE, text, after)
        ends = [close]
        if after > part_end:  # the first of its part: the others stand inside it
            part_end = _end(_QUOTE, text, after)
            ends.append(part_end)
        if after > word_end:
            word_end = _end(_BLANK, text, after)
            ends.append(word_end)
        for end in dict.fromkeys(ends):
            if end - start <= LONGEST:
                yield from _stripped(text[start:end])


def said(text: str, *, whole: bool, knows: Judge, opens: Judge) -> Iterator[tuple[bool, bool]]:
    """Of each address in what a model says: whether it was shown (``knows``), and whether it may be made up (its host
    ``opens``). ``whole``: the text is one address (3)."""
    bare = text.strip(" \t\n\r\f\v")
    if whole or (_is_address(bare) and _BLANK.search(bare) is None):
        yield knows(text) or knows(bare), _is_built(bare, opens)
        return
    if _is_hidden(text):
        yield False, False
    word_end, at = -1, 0
    for start, after in _begins(text):
        if start < at:  # inside one that was shown
            continue
        if after > word_end:
            word_end = _end(_BLANK, text, after)
        run = word_end - start
        before = text[max(0, start - _LOOK_BACK) : start]
        if run <= LONGEST and any(
            knows(text[start : word_end - more])
            for more in range(min(run, _MOST_AFTER + 1))
            if _is_end(text[word_end - more : word_end], before)
        ):
            at = word_end
            yield True, False
        else:
            yield False, _is_built_in(text, start, word_end, opens)


def said_by_shell(code: str, *, knows: Judge, opens: Judge) -> Iterator[tuple[bool, bool]]:
    """The same for shell text: for the text as it is written, and for each word as the shell reads it."""
    from sluicegate.known.shell.exact import Exact

    yield from said(code, whole=False, knows=knows, opens=opens)
    if len(code) > LONGEST_CODE:  # its words are not read, so no address in it is known
        yield next(_begins(code), None) is None, False
        return
    for command in Exact(code).read().commands:
        several = [*command.words, *(word.literal for _, word in command.assigns)]
        several += (redirect.word.literal for redirect in command.redirects)
        for word in several:
            first = next(_begins(word), None)
            if first is not None:
                whole = _BLANK.search(word[: first[0]]) is None
                yield from said(word[first[0] :] if whole else word, whole=whole, knows=knows, opens=opens)


def takes_one(operation: str, name: str, text: str) -> bool:
    """Whether an argument is one address by what it is for (3)."""
    if operation == "fetch":
        return name == "url"
    return _NAMED.fullmatch(name) is not None and _is_address(text.lstrip())


def _is_hidden(text: str) -> bool:
    """Whether an address begins somewhere as clients read a text, and not as it is written (5)."""
    if _BREAK.search(text) is not None:
        places = [at for at, sign in enumerate(text) if sign not in "\t\n\r"]
        plain = {after for _, after in _begins(text)}
        if any(places[after] not in plain for _, after in _begins("".join([text[at] for at in places]))):
            return True
    if "&" in text and ";" in text:
        from html import unescape

        read = unescape(text)
        if read != text and sum(1 for _ in _begins(read)) > sum(1 for _ in _begins(text)):
            return True
    return False


def _begins(text: str) -> Iterator[tuple[int, int]]:
    """Where addresses begin (1), and where what follows their beginning does."""
    last = 0
    for found in _BEGIN.finditer(text):
        start, after = found.span()
        if text[start] in "\\/":
            slanted = "/" not in found.group()
            if start and text[start - 1] == ":":
                floor = max(last, start - _MOST_SCHEME)
                scheme = _SCHEME_BEFORE.search(text[floor:start])
                if slanted and (scheme is None or len(scheme.group()) == len("C:")):
                    continue
                start = floor + scheme.start() if scheme is not None else start
            elif slanted and not _is_share(text, start, after):
                continue
        elif text[start : start + 4].lower() != "www.":
            while after < len(text) and text[after] in "\\/":
                after += 1
        if start >= last:
            yield start, after
            last = after


def _is_share(text: str, start: int, after: int) -> bool:
    """Whether two backslashes begin the name of a host (``\\\\host\\share``), and no escape in a pattern or a path."""
    return (start == 0 or not (text[start - 1].isalnum() or text[start - 1] in "_.)-")) and (
        _SHARE.match(text, after) is not None
    )


def _end(ends: re.Pattern[str], text: str, at: int) -> int:
    found = ends.search(text, at)
    return len(text) if found is None else found.start()


def _stripped(address: str) -> Iterator[str]:
    yield address
    yield address.rstrip(_AFTER)
    for _ in range(_STRIPPED):
        if address[-1:] not in _OPENED and address[-1:] not in tuple(_MARKS):
            return
        address = address[:-1]
        yield address


def _is_end(signs: str, before: str) -> bool:
    """Whether signs behind an address only end it (2)."""
    if sum(sign in _MARKS for sign in signs) > 1:
        return False
    return all(sign in _MARKS or (sign in _OPENED and _OPENED[sign] in before) for sign in signs)


def _is_address(text: str) -> bool:
    first = next(_begins(text[:LONGEST]), None)
    return first is not None and first[0] == 0


def _is_built(address: str, opens: Judge) -> bool:
    """Whether all of a text is an address of a host that policy opens (4)."""
    found = _PLAIN.match(address)
    return found is not None and _UNSAFE.search(address) is None and opens(f"//{found[1]}")


def _is_built_in(text: str, start: int, end: int, opens: Judge) -> bool:
    """The same for one that begins in a text. Its host ends plainly; what follows its path is looked at by itself."""
    for more in range(min(end - start, _MOST_AFTER + 1)):
        if all(sign in _AFTER for sign in text[end - more : end]):
            found = _PLAIN.match(text[start : min(end - more, start + LONGEST)])
            if found is not None:
                return opens(f"//{found[1]}")
    return False
