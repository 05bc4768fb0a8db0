"""Untrusted text as a model may be shown it: nothing unseen, and nothing that a model's reader takes for its own marks.

A character that steers or cannot be seen stands as ``⟪U+202E⟫``, and so does one of which nobody but its author and his font
knows what it shows: a private or an unassigned one (by the Unicode of the running Python). So does the first character of what
the chat formats of known models use as control tokens (``<|im_start|>``, ``[INST]``, ``</s>``, ``<start_of_turn>``): a server
that looks for those in the text of a message finds none. ``⟪`` itself is shown so, too: whatever stands between ``⟪`` and ``⟫``
was written by us.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from sluicegate.known.characters import SELECTOR, UNSEEN
from sluicegate.vet.lazy import lazy

# Of the families in the table of seats, and of others: Gemma, Qwen, GLM, DeepSeek, Command (<BOS_TOKEN>), Nemotron (<SPECIAL_10>),
# Kimi ([EOT]), InternLM (<eoh>), MiniMax (]~b]), EXAONE ([|user|]), Seed (<seed:bos>), Ling (<role>),
# LongCat, MiniCPM (<AI>), and what agents put their own words to a model in (<system-reminder>).
_TAGS = (
    "s|bos|eos|pad|unk|mask|cls|sep|sys|sos|eot|eop|sop|image|img|video|audio|think|thinking|tool_calls?|tool_response|tools?|system|"
    "user|assistant|human|developer|model|function_calls?|invoke|answer|reasoning|extra_id_\\d{1,3}|reserved_\\w{1,20}|unused\\d{1,3}|"
    "(?:start|end|begin)_of_\\w{1,20}|\\w{1,20}_(?:start|end|soft_token)|(?:start|end)_\\w{1,20}|fim_\\w{1,10}|commit_\\w{1,10}|"
    "(?:bos|eos|eop|pad|unk|cls|sep|mask)_token|special_\\d{1,4}|tokens_unused_\\d{1,4}|eo[adhm]|seed:\\w{1,40}|\\w{1,20}:(?:think|tool_call)|system-\\w{1,20}|"
    "function_results?|function_outputs?|tool_results?|tool▁\\w{1,20}|role|AI|用户|longcat_\\w{1,20}|arg_(?:key|value)|\\w{1,20}_sep"
)
_CALLS = "(?:antml:)?(?:invoke|parameter|parameters|function|function_calls?|function_results?|tool_calls?|tool_results?)"
"""Tags that have attributes, or a name behind a sign of equality."""
_BRACKETED = (
    "INST|SYS|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|AVAILABLE_TOOLS|IMG|IMG_BREAK|IMG_END|AUDIO|BEGIN_AUDIO|THINK|"
    "EOT|(?:start|end)_header_id|end_of_text|unused\\d{1,3}|ARGS|CALL_ID|PREFIX|MIDDLE|SUFFIX|CLS|SEP|MASK|PAD|UNK|BOS|EOS|gMASK|sMASK|MODEL_SETTINGS"
)
_CONTROL_TOKEN = lazy(
    rf"<(?=[|｜])|[|｜](?=>)|<(?=/?(?:{_TAGS})\s{{0,4}}/?>)|<(?=/?{_CALLS}[\s=>])|<(?=<\s{{0,4}}/?SYS)"
    rf"|\[(?=\s{{0,4}}/?\s{{0,4}}(?:{_BRACKETED})\s{{0,4}}\])|\[(?=\|\w{{1,20}}\|\])|\](?=~!?b[\[\]])|\[(?=e~\[)",
    re.IGNORECASE,
)
_FIRST = "<[]|｜"
OPEN, CLOSE = "\u27ea", "\u27eb"


@cache
def _hazard() -> re.Pattern[str]:
    return re.compile(f"(?![\n\t])[{UNSEEN}{OPEN}{CLOSE}]|{SELECTOR}")


def _shown(found: re.Match[str]) -> str:
    return f"{OPEN}U+{ord(found[0]):04X}{CLOSE}"


def escaped(text: str) -> str:
    """``text`` with every character that steers, or cannot be seen or known, as an escape. Line feeds and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    shown = _hazard().sub(_shown, text)
    if shown.isascii():
        return shown
    unknown = {ord(each): f"{OPEN}U+{ord(each):04X}{CLOSE}" for each in set(shown) if _is_unknown(each)}
    return shown.translate(unknown) if unknown else shown


def _is_unknown(character: str) -> bool:
    return unicodedata.category(character) in ("Co", "Cn")


def without_control_tokens(line: str) -> str:
    """``line`` with the first character of each control token of a chat format as an escape."""
    if not any(first in line for first in _FIRST):
        return line
    return _CONTROL_TOKEN.sub(_shown, line)


def visible(text: str) -> str:
    """``text`` with neither: what may stand in a frame."""
    return without_control_tokens(escaped(text))


def note(words: str) -> str:
    """Words of ours inside a frame. ``words`` hold nothing of the skill."""
    return f"{OPEN}{words}{CLOSE}"


def cut(line: str, most: int) -> str:
    """At most ``most`` characters of a visible line, and how many more there are."""
    if len(line) <= most:
        return line
    end = _whole(line, most)
    return line[:end] + note(f"{len(line) - end} more characters")


def wrapped(line: str, most: int) -> list[str]:
    """A visible line as rows of at most ``most`` characters, with no escape torn apart (which may make a row shorter)."""
    rows, at = [], 0
    while len(line) - at > most:
        end = _whole(line, at + most, at)
        rows.append(line[at:end])
        at = end
    return [*rows, line[at:]]


def _whole(line: str, end: int, start: int = 0) -> int:
    """``end``, or the beginning of the escape that it would tear apart, if that is behind ``start``."""
    opened = line.rfind(OPEN, start, end)
    torn = opened > start and line.find(CLOSE, opened, end) == -1
    return opened if torn else end
