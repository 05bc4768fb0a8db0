"""A language server for scripts: remarks while they are written, what a name means, what may be written.

It reads the documents that the editor opens, and nothing else: no file, no module, no policy of a project. Nothing is run.
Documents come whole at each change, so that lines are counted here and nowhere else: they end at a line feed, as in the scanner.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from sluicegate import __version__
from sluicegate.reach.report.escape import printable
from sluicegate.script.assist import AssistedScript
from sluicegate.script.diagnostics import ERROR
from sluicegate.script.source import SourceText

_KINDS = {
    "name": types.CompletionItemKind.Variable,
    "label": types.CompletionItemKind.EnumMember,
    "key": types.CompletionItemKind.Property,
    "word": types.CompletionItemKind.Keyword,
}
_CODECS = {"utf-8": ("utf-8", 1), "utf-32": ("utf-32-le", 4)}
_UTF16 = ("utf-16-le", 2)


class ScriptServer:
    """The answers to an editor, and the documents that it has open."""

    def __init__(self) -> None:
        self.wire = LanguageServer(
            "sluicegate", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full
        )
        self.open: dict[str, AssistedScript] = {}
        for name, method in {
            types.TEXT_DOCUMENT_DID_OPEN: self.opened,
            types.TEXT_DOCUMENT_DID_CHANGE: self.changed,
            types.TEXT_DOCUMENT_DID_CLOSE: self.closed,
            types.TEXT_DOCUMENT_HOVER: self.hover,
            types.TEXT_DOCUMENT_DEFINITION: self.definition,
        }.items():
            self.wire.feature(name)(_function(method))
        triggers = types.CompletionOptions(trigger_characters=["@", ":", " ", "{", "["])
        self.wire.feature(types.TEXT_DOCUMENT_COMPLETION, triggers)(_function(self.completion))

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        """A document was opened."""
        self.read(params.text_document.uri)

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """A document has changed."""
        self.read(params.text_document.uri)

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """A document was closed: nothing is said of it any more."""
        self.open.pop(params.text_document.uri, None)
        self.say(params.text_document.uri, [])

    def read(self, uri: str) -> None:
        """Read a document, and say what is wrong with it."""
        document = self.wire.workspace.get_text_document(uri)
        script = self.open[uri] = AssistedScript(SourceText(document.source, uri))
        self.say(
            uri,
            [
                types.Diagnostic(
                    range=self.range(script, each.start, each.end),
                    message=printable(" ".join(filter(None, (f"{each.message}.", _expected(each.expected), each.suggestion)))),
                    severity=types.DiagnosticSeverity.Error if each.severity == ERROR else types.DiagnosticSeverity.Warning,
                    code=each.code,
                    source="sluicegate",
                )
                for each in script.diagnostics
            ],
        )  # fmt: skip

    def say(self, uri: str, found: list[types.Diagnostic]) -> None:
        """Show remarks on a document."""
        self.wire.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=found)
        )

    def hover(self, params: types.HoverParams) -> types.Hover | None:
        """What is known of what stands at a place."""
        script = self.open.get(params.text_document.uri)
        said = script.hover(self.offset(script, params.position)) if script else ""
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, said)) if said else None

    def definition(self, params: types.DefinitionParams) -> types.Location | None:
        """Where the name at a place is defined."""
        script = self.open.get(params.text_document.uri)
        binding = script.binding(self.offset(script, params.position)) if script else None
        if script is None or binding is None:
            return None
        place = script.definition(binding)
        return types.Location(params.text_document.uri, self.range(script, place.start, place.end))

    def completion(self, params: types.CompletionParams) -> types.CompletionList:
        """What may be written at a place."""
        script = self.open.get(params.text_document.uri)
        found = script.suggestions(self.offset(script, params.position)) if script else []
        items = [
            types.CompletionItem(each.text, kind=_KINDS[each.kind], detail=each.detail or None)
            for each in found
        ]
        return types.CompletionList(is_incomplete=False, items=items)

    def range(self, script: AssistedScript, start: int, end: int) -> types.Range:
        """A part of a script, as the editor counts."""
        return types.Range(self.position(script, start), self.position(script, end))

    def position(self, script: AssistedScript, offset: int) -> types.Position:
        """An offset as the editor counts."""
        codec, width = self.codec()
        at = script.script.source.place(offset)
        before = script.text[offset - at.column + 1 : offset]
        return types.Position(at.line - 1, len(before.encode(codec, "surrogatepass")) // width)

    def offset(self, script: AssistedScript, position: types.Position) -> int:
        """An offset for a place that the editor counted; where it is behind the end of its line, that end."""
        codec, width = self.codec()
        start = 0
        for _ in range(position.line):
            start = script.text.find("\n", start) + 1
            if start == 0:
                return len(script.text)
        end = script.text.find("\n", start)
        line = script.text[start : len(script.text) if end < 0 else end]
        data = line.encode(codec, "surrogatepass")[: position.character * width]
        return start + len(data.decode(codec, "ignore"))

    def codec(self) -> tuple[str, int]:
        """How the editor counts columns."""
        counted = self.wire.workspace.position_encoding
        return _CODECS.get(str(getattr(counted, "value", counted)), _UTF16)


def _function(method: Callable[[Any], object]) -> Callable[[Any], object]:
    """A method as a function of its own: the library writes on what it is given."""

    def answer(params: Any) -> object:
        return method(params)

    return answer


def _expected(words: str) -> str:
    return f"Expected {words}." if words else ""


def serve() -> None:
    """Serve one editor over standard input and output, until it leaves."""
    ScriptServer().wire.start_io()
