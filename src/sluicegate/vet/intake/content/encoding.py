"""Which bytes are text, and what they say.

An agent reads more than clean UTF-8: it sees UTF-16 without a mark, and it sees a file with one broken
byte. What it could read is text here too.
"""

from __future__ import annotations

_CONTROL = bytes(b for b in range(32) if b not in b"\t\n\r\f\v\b\x1b") + b"\x7f"
_HIGH = bytes(range(0x80, 0x100))
_BAD_BYTES = {0xDC00 + byte: chr(byte) for byte in range(0x80, 0x100)}
_SAMPLE = 8192
_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)

CLEAN, SOILED = 50, 4
"""Text holds at most one control byte in CLEAN; text that somebody soiled, one in SOILED."""


def control_bytes(data: bytes) -> int:
    """How many bytes are control characters that text does not use."""
    return len(data) - len(data.translate(None, _CONTROL))


def soiled_text(data: bytes) -> bool:
    """Whether control bytes are strewn into what is text without them (padding that hides it from tools)."""
    rest = data.translate(None, _CONTROL)
    if (len(data) - len(rest)) * SOILED > len(data):
        return False
    try:
        rest.decode("utf-8")
    except UnicodeDecodeError:
        return len(rest.translate(None, _HIGH)) * 10 >= len(rest) * 7
    return True


def readable_text(data: bytes) -> bool:
    """Whether the bytes read as text but for a few, whatever form they claim to have by their first ones."""
    head = data[:_SAMPLE]
    return control_bytes(head) * SOILED <= len(head) and soiled_text(data)


def encoding_of(data: bytes) -> str | None:
    """The encoding (a codec's name) that makes text of the bytes, or None when they are not text.

    ``utf-8`` also stands for text in a single-byte encoding, and for UTF-8 with a few broken bytes.
    """
    for mark, codec in _MARKS:
        if data.startswith(mark):
            if codec == "utf-8" or _reads_as(data[len(mark) :], codec):
                return codec
            break
    controls = control_bytes(data)
    if controls == 0:
        return "utf-8"
    wide = _wide(data)
    if wide is not None:
        return wide
    return "utf-8" if controls * CLEAN <= len(data) else None


def _wide(data: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark, seen by where the zero bytes stand; None when it is neither."""
    sample = data[:_SAMPLE]
    if len(sample) < 8 or b"\0" not in sample:
        return None
    quarter = len(sample) // 4
    zeros = [sample[at::4].count(0) for at in range(4)]
    if quarter and min(zeros[1:]) * 10 >= quarter * 6 and zeros[0] * 20 <= quarter:
        codec = "utf-32-le"
    elif quarter and min(zeros[:3]) * 10 >= quarter * 6 and zeros[3] * 20 <= quarter:
        codec = "utf-32-be"
    elif (zeros[1] + zeros[3]) * 10 >= quarter * 2 * 6 and (zeros[0] + zeros[2]) * 20 <= quarter * 2:
        codec = "utf-16-le"
    elif (zeros[0] + zeros[2]) * 10 >= quarter * 2 * 6 and (zeros[1] + zeros[3]) * 20 <= quarter * 2:
        codec = "utf-16-be"
    else:
        return None
    return codec if _reads_as(data, codec) else None


def _reads_as(data: bytes, codec: str) -> bool:
    """Whether a sample decodes to text with few control characters and few errors."""
    text = data[: _SAMPLE - _SAMPLE % 4].decode(codec, "replace")
    bad = text.count("\ufffd") + control_bytes(text.encode("utf-8", "replace"))
    return bad * 20 <= len(text)


def decode_text(data: bytes) -> str:
    """The bytes as text, the same on any machine, without surrogates; line ends stay as they are.

    UTF-8 (a mark is dropped), UTF-16 and UTF-32 with a mark or plainly so; a byte that is not UTF-8 is
    read as Latin-1, so that one broken byte hides nothing around it. Never raises.
    """
    codec = encoding_of(data) or "utf-8"
    for mark, marked in _MARKS:
        if marked == codec and data.startswith(mark):
            data = data[len(mark) :]
            break
    return data.decode(codec, "replace") if codec != "utf-8" else _narrow(data)


def text_by_bytes(data: bytes) -> str:
    """What programs read that know of no wide encoding: shells pass over zero bytes, and take a mark for a word.

    Empty where ``decode_text`` says the same. A file can be one text for who believes its mark or its first bytes, and
    another for the shell that runs it.
    """
    codec = encoding_of(data)
    if codec is None or codec == "utf-8":
        return ""
    text = _narrow(data.replace(b"\0", b""))
    wide = decode_text(data)
    return "" if text.removeprefix("\xff\xfe").removeprefix("\xfe\xff") == wide else text


def _narrow(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape").translate(_BAD_BYTES)
