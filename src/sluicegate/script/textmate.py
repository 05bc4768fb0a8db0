"""The TextMate grammar of the script language, made of the tables of its scanner and parser.

Editors colour scripts with it: ``docs/editors/``. It knows lines and brackets and no more, so it can be wrong where the scanner
is not: ``validate`` says what a script is. Its patterns mean the same to Oniguruma and to Python's ``re``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from sluicegate.script.parse.declarations import TIMINGS
from sluicegate.script.parse.expressions import RESERVED
from sluicegate.script.parse.literals import CONSTANTS
from sluicegate.script.parse.statements import STARTS
from sluicegate.script.resolve.scopes import GIVEN, TRANSFORMERS
from sluicegate.script.scan.scanner import BEFORE_VALUE, CODE_WORDS, DIRECTIVES, WORD_PATTERN

SCOPE = "source.sluicegate"
FENCES = ("mld", "mlld", "sluicegate")
"""What stands behind the marks of a fence in Markdown that holds a script."""
BESIDE = ("mcp", "parallel", "privileged", "stderr", "stdout", "template", "tools", "union", "snapshot")
"""Words that have a meaning in one place of a statement and are names everywhere else."""

Rule = Mapping[str, object]

_EMBEDDED = {
    "cmd": "source.shell",
    "run": "source.shell",
    "sh": "source.shell",
    "js": "source.js",
    "node": "source.js",
    "py": "source.python",
    "prose": "",
}
_NAME = r"@[A-Za-z_]\w*"
_NO_OPERAND = r"(?<![\w)\]}\"'`])"
_BEFORE_PATTERN = r"(?:^|(?<=[(,\[{=~!:&|?>])|(?<=[(,\[{=~!:&|?>][ \t])"


def grammar() -> dict[str, object]:
    """The grammar of a whole script."""
    repository: dict[str, Rule] = {
        "comment": _matched(r"(?://|>>|<<).*$", "comment.line"),
        "slash": {"match": rf"^(/)({_any(DIRECTIVES)})\b", "captures": {"1": _named("punctuation.definition.directive"),
                                                                         "2": _named("keyword.control")}},
        "front": {"begin": r"\A---[ \t]*$", "end": r"^---[ \t]*$", "name": f"comment.block.front-matter.{_LAST}",
                  "contentName": "meta.embedded.block.yaml", "patterns": [{"include": "source.yaml"}]},
        "strings": {"patterns": [
            _text("'", r"'|$", "string.quoted.single", holes=False),
            _text('"', r'"|$', "string.quoted.double", holes=True),
            _text("`", "`", "string.template", holes=True),
            _text(":::", ":::", "string.template", holes=True),
            _text("::(?!:)", "::", "string.template", holes=True),
        ]},
        "hole": {"patterns": [
            _matched(rf"(?<!\w){_NAME}(?:\.[A-Za-z_]\w*)*", "variable.other"),
            _matched(r"\{\{[ \t]*@?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*[ \t]*\}\}", "variable.other"),
        ]},
        "file": _matched(_NO_OPERAND + r"<(?![\s=])[^<>]*[^<>\s]>", "string.unquoted.file"),
        "pattern": _matched(_before_pattern() + r"/(?![\s/*])(?:[^/\\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+/[A-Za-z]*", "string.regexp"),
        "code": {"patterns": [_code(word) for word in CODE_WORDS]},
        **{f"body-{word}": _body(word) for word in CODE_WORDS},
        "brackets": {"patterns": [_bracket(*pair) for pair in ("()", "[]", "{}")]},
        "names": {"patterns": [
            _matched(rf"@(?:{_any(GIVEN)})\b", "variable.language"),
            _matched(rf"{_NAME}(?=\()", "entity.name.function"),
            _matched(_NAME, "variable.other"),
        ]},
        "words": {"patterns": [
            _matched(r"(?<=\.)[A-Za-z_]\w*", "variable.other.property"),
            _matched(rf"(?<=\|)[ \t]*(?:{_any(TRANSFORMERS)})\b(?![\w:-])", "support.function"),
            _matched(_word(CONSTANTS), "constant.language"),
            _matched(r"[A-Za-z_][\w-]*(?=[ \t]*:(?:[ \t]|$))", "support.type.property-name"),
            _matched(_word(STARTS), "keyword.control"),
            _matched(_word({*RESERVED, *TIMINGS, *BESIDE, *CODE_WORDS} - {*STARTS}), "keyword.other"),
            _matched(WORD_PATTERN, "entity.name.tag.label"),
        ]},
        "numbers": _matched(r"[0-9]+(?:\.[0-9]+)?", "constant.numeric"),
        "operators": _matched(r"=>|==|=|\.\.\.|\?\.|\?\?|!~=|!=|~=|<=|>=|&&|\|\||[;?!+\-*/%|<>.,:]", "keyword.operator"),
    }  # fmt: skip
    return {
        "$schema": "https://json.schemastore.org/tmlanguage.json",
        "name": "Sluicegate script",
        "scopeName": SCOPE,
        "fileTypes": ["mld"],
        "patterns": [_included(name) for name in ("front", "slash", *_EXPRESSION)],
        "repository": repository,
    }


def markdown_grammar() -> dict[str, object]:
    """What is added to the grammar of Markdown: fences that hold a script, and lines that begin with a slash and a directive."""
    fence = {
        "begin": rf"^([ ]{{0,3}})(`{{3,}}|~{{3,}})[ \t]*(?:{_any(FENCES)})\b[^`]*$",
        "end": r"^[ ]{0,3}\2[ \t]*$",
        "name": "markup.fenced_code.block.markdown",
        "contentName": "meta.embedded.block.sluicegate",
        "patterns": [{"include": SCOPE}],
    }
    line = {
        "begin": rf"^(/)({_any(DIRECTIVES)})\b",
        "beginCaptures": {
            "1": _named("punctuation.definition.directive"),
            "2": _named("keyword.control"),
        },
        "end": "$",
        "name": "meta.embedded.block.sluicegate",
        "patterns": [{"include": SCOPE}],
    }
    return {
        "$schema": "https://json.schemastore.org/tmlanguage.json",
        "name": "Sluicegate script in Markdown",
        "scopeName": "markdown.sluicegate.codeblock",
        "injectionSelector": "L:text.html.markdown",
        "patterns": [fence, line],
    }


_LAST = SCOPE.partition(".")[2]
_EXPRESSION = (
    "comment", "strings", "file", "pattern", "code", "brackets", "names", "words", "numbers", "operators",
)  # fmt: skip


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))


def _word(words: Iterable[str]) -> str:
    """One of these words, and no part of a longer one."""
    return rf"(?<![\w:@-])(?:{_any(words)})(?![\w:-])"


def _before_pattern() -> str:
    """What stands before a regular expression; elsewhere a slash divides."""
    return _BEFORE_PATTERN + "".join(rf"|(?<=\b{word} )" for word in sorted(BEFORE_VALUE)) + ")"


def _named(scope: str) -> Rule:
    return {"name": f"{scope}.{_LAST}"}


def _matched(pattern: str, scope: str) -> Rule:
    return {"match": pattern, **_named(scope)}


def _included(name: str) -> Rule:
    return {"include": f"#{name}"}


def _text(begin: str, end: str, scope: str, *, holes: bool) -> Rule:
    inner = [_matched(r"\\.", "constant.character.escape")]
    return {"begin": begin, "end": end, **_named(scope), "patterns": [*inner, *([_included("hole")] if holes else [])]}  # fmt: skip


def _bracket(opened: str, closed: str) -> Rule:
    return {
        "begin": re.escape(opened),
        "end": re.escape(closed),
        **_named("meta.brackets"),
        "patterns": [_included(name) for name in _EXPRESSION],
    }


def _code(word: str) -> Rule:
    """A word, what is passed, and a body in braces."""
    return {
        "begin": rf"(?<![\w:@.-]){word}(?=[ \t]*(?:\([^()]*\)[ \t]*)?\{{)",
        "beginCaptures": {"0": _named("keyword.control.code")},
        "end": r"(?<=\})",
        "patterns": [
            {"begin": r"\(", "end": r"\)", "patterns": [_included("names")]},
            _included(f"body-{word}"),
        ],
    }


def _body(word: str) -> Rule:
    """A body in braces, coloured as its language is. Braces balance, and those in quotes do not count, as in the scanner."""
    command, language = word in ("cmd", "run"), _EMBEDDED[word]
    inside: list[Rule] = [_included(f"body-{word}")]
    if word != "prose":
        inside += [{"match": r"\\."}]
        inside += [_text(sign, sign, "string.quoted", holes=command) for sign in "\"'"]
    if command:
        inside.append(_included("hole"))
    if language:
        inside.append({"include": language})
    return {"begin": r"\{", "end": r"\}", "name": f"meta.embedded.block.{word}", "patterns": inside}
