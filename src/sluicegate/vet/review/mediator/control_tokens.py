"""Where a line holds what could be a control token of a chat format: by its shape, whatever model it is of.

Chat formats put words in brackets (``<|im_start|>``, ``<start_of_turn>``, ``[INST]``, ``</s>``), and a tokenizer may find those in the
text of a message as well. Which words there are, each new model decides; so what counts is the shape. A token is recognised in

1. an angle bracket that a bar stands beside: ``<|``, ``|>``;
2. one word in angle brackets, other than the names of HTML elements, primitive types, ``CamelCase`` names and numbers; and a tag with
   attributes whose name holds a colon or an underscore, or that calls a tool;
3. one word in square brackets that has two capitals, or that a known format uses;
4. a few forms of single models: ``]~b]``, ``[|user|]``, ``>>TITLE<<``, ``<<SYS>>``.

A line is read as a tokenizer that folds compatible forms reads it (NFKC): fullwidth letters and brackets are their plain ones, and
brackets, bars and slashes that look like them count as them. What cannot be seen has been made an escape before, which splits a token.
Honest code stays readable: only the first character of a token becomes an escape. Words alone (``### Instruction:``, ``Human:``)
are no tokens; in a frame, a margin stands before each row.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from sluicegate.vet.lazy import lazy

_NEVER_ORDINARY = (
    "s|bos|eos|pad|unk|mask|cls|sep|sys|image|img|video|audio|think|thinking|tools?|system|user|assistant|human|developer|model|"
    "invoke|answer|reasoning|role|ai|bot"
)
"""Tokens and turns of known formats, in any case, that would be an element, a type or a name in CamelCase otherwise."""
_ELEMENTS = (
    "a|abbr|article|aside|b|blockquote|body|br|button|caption|center|circle|cite|code|col|colgroup|dd|del|details|div|dl|dt|em|figcaption|"
    "figure|font|footer|form|g|h[1-6]|head|header|hr|html|i|iframe|input|ins|kbd|label|legend|li|line|link|main|meta|nav|noscript|ol|optgroup|"
    "option|p|path|picture|pre|q|rect|script|section|select|small|span|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|"
    "tfoot|th|thead|title|tr|tt|u|ul|var"
)
_TYPES = "[iu](?:8|16|32|64|128)|f(?:32|64)|[iu]size|int|str|string|number|boolean|bool|void|any|never|float|double|char|long|byte"
_ORDINARY = (
    rf"(?!(?i:{_NEVER_ORDINARY})\b)(?:{_ELEMENTS}|{_TYPES}|[A-Z]|[A-Z][a-z][A-Za-z0-9]*|[0-9]+)(?![\w:-])"
)
_CALLS = (
    "(?:antml:)?(?:invoke|parameters?|functions?|function_calls?|function_results?|tool_calls?|tool_results?)"
)
"""Tags that have attributes, or a name behind a sign of equality."""
_BRACKETED = (
    "INST|SYS|IMG|AUDIO|THINK|EOT|ARGS|PREFIX|MIDDLE|SUFFIX|CLS|SEP|MASK|PAD|UNK|BOS|EOS|unused\\d{1,4}|"
    "(?:start|end)_header_id|(?:begin|end)_of_\\w{1,20}|\\w{1,20}_(?:start|end|token)"
)
"""What known formats put into square brackets, in any case."""
_TOKEN = lazy(
    rf"<(?=\|)|\|(?=>)"  # 1
    rf"|<(?=/?(?!{_ORDINARY})[\w:-]{{1,80}}\s{{0,4}}/?\s{{0,4}}>)"  # 2
    rf"|<(?=/?(?i:{_CALLS})[\s=>])|<(?=/?\w{{1,40}}=[^=\s])"
    rf"|<(?=/?(?=[\w:-]{{0,80}}[_:])[\w:-]{{1,80}}\s{{1,4}}[\w:-]{{1,40}}\s{{0,4}}=\s{{0,4}}[\"'])"
    rf"|\[(?=\s{{0,4}}/?\s{{0,4}}(?:(?i:{_BRACKETED})|(?=\w{{0,80}}[A-Z][A-Z_])\w{{1,80}})\s{{0,4}}\])"  # 3
    rf"|\[(?=\|\w{{1,40}}\|\])|\](?=~!?b[\[\]])|\[(?=e~\[)|>(?=>\w{{1,40}}<<)|<(?=<\s{{0,4}}/?\s{{0,4}}\w{{1,40}}\s{{0,4}}>>)",  # 4
    re.ASCII,
)
_LIKE = {
    "<": "\u02c2\u1438\u16b2\u2039\u2329\u276c\u276e\u27e8\u2991\u29fc\u3008\ufe64\uff1c\U0001d236",
    ">": "\u02c3\u1433\u203a\u232a\u276d\u276f\u27e9\u2992\u29fd\u3009\ufe65\uff1e\U0001d237",
    "[": "\u2045\u2772\u27e6\u3010\u3014\u3016\u3018\u301a\ufe5d\uff3b",
    "]": "\u2046\u2773\u27e7\u3011\u3015\u3017\u3019\u301b\ufe5e\uff3d",
    "|": "\xa6\u01c0\u2223\u23d0\u2502\u2503\u2758\uff5c\uffe4\uffe8",
    "/": "\u2044\u2215\uff0f",
    "_": "\u2017\u203f\u2581\ufe4d\ufe4e\ufe4f\uff3f",
}
_LOOKS = {each: plain for plain, every in _LIKE.items() for each in every}
_FIRST = frozenset("<[]|>").union(*(_LIKE[each] for each in "<[]|>"))
_ASCII_FIRST = "<[]|>"


def control_tokens(line: str) -> list[int]:
    """The places of the first characters of all such tokens in a visible line."""
    if line.isascii():
        if not any(each in line for each in _ASCII_FIRST):
            return []
        return [found.start() for found in _TOKEN.finditer(line)]
    if _FIRST.isdisjoint(line):
        return []
    return [found.start() for found in _TOKEN.finditer("".join(map(_folded, line)))]


@lru_cache(4096)
def _folded(character: str) -> str:
    """The one ASCII character that another stands for: a bracket, its plain form, or ``A`` or ``a`` for any letter."""
    if character.isascii():
        return character
    if character in _LOOKS:
        return _LOOKS[character]
    plain = unicodedata.normalize("NFKC", character)
    if len(plain) == 1 and plain.isascii():
        return plain
    return "A" if plain[0].isupper() else "a" if plain[0].isalnum() else character
