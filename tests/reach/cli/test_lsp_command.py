"""The language server, spoken to over standard input and output by the client of pygls."""

import asyncio
import sys
from importlib.util import find_spec

import pytest

needs_pygls = pytest.mark.skipif(find_spec("pygls") is None, reason="the extra lsp is not installed")
URI = "file:///nowhere/mail.mld"
TEXT = "var pii @a = '\U0001f600'; show @a; show @nobody\n\nshow @a\n"


class Editor:
    """A client that keeps what it was told of documents."""

    def __init__(self):
        from lsprotocol import types
        from pygls.lsp.client import LanguageClient

        self.types = types
        self.client = LanguageClient("editor", "1")
        self.told = asyncio.Queue()
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(
            lambda params: self.told.put_nowait(params)
        )

    async def begin(self, encoding):
        types = self.types
        await self.client.start_io(sys.executable, "-m", "sluicegate", "lsp")
        general = types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind(encoding)])
        begun = await self.client.initialize_async(
            types.InitializeParams(types.ClientCapabilities(general=general))
        )
        self.client.initialized(types.InitializedParams())
        return begun.capabilities.position_encoding

    async def open(self, text):
        document = self.types.TextDocumentItem(URI, "sluicegate", 1, text)
        self.client.text_document_did_open(self.types.DidOpenTextDocumentParams(document))
        return await self.diagnostics()

    async def diagnostics(self):
        return (await asyncio.wait_for(self.told.get(), 30)).diagnostics

    async def change(self, text):
        document = self.types.VersionedTextDocumentIdentifier(version=2, uri=URI)
        whole = self.types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(self.types.DidChangeTextDocumentParams(document, [whole]))
        return await self.diagnostics()

    async def ask(self, what, line, column):
        kind = getattr(self.types, f"{what.capitalize()}Params")
        params = kind(self.types.TextDocumentIdentifier(URI), self.types.Position(line, column))
        return await asyncio.wait_for(getattr(self.client, f"text_document_{what}_async")(params), 30)

    async def close(self):
        document = self.types.TextDocumentIdentifier(URI)
        self.client.text_document_did_close(self.types.DidCloseTextDocumentParams(document))
        assert not await self.diagnostics()
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()


@needs_pygls
@pytest.mark.parametrize(("encoding", "wide"), [("utf-16", 2), ("utf-8", 4), ("utf-32", 1)])
def test_an_editor_is_told(encoding, wide):
    """Columns are counted as the editor counts; a broken script is still completed; nothing of it goes out as it is written."""

    async def talk():
        editor = Editor()
        assert await editor.begin(encoding) == encoding
        (remark,) = await editor.open(TEXT)
        assert (remark.code, remark.severity, remark.source) == ("undefined-name", 1, "sluicegate")
        start = TEXT.index("@nobody") - 1 + wide
        assert (remark.range.start.line, remark.range.start.character, remark.range.end.character) == (
            0,
            start,
            start + 7,
        )

        found = await editor.ask("definition", 2, 6)
        assert (
            found.uri,
            found.range.start.line,
            found.range.start.character,
            found.range.end.character,
        ) == (URI, 0, 8, 10)
        assert "`pii`" in (await editor.ask("hover", 0, TEXT.index("@a;") - 1 + wide)).contents.value
        assert await editor.ask("hover", 1, 0) is None
        assert await editor.ask("definition", 99, 99) is None

        assert await editor.change("policy @p = { \nshow 1")
        offered = await editor.ask("completion", 0, 14)
        assert {"defaults", "labels"} <= {each.label for each in offered.items}
        evil = await editor.change("show \x1b\u202e")
        assert evil
        assert not {"\x1b", "\u202e"} & set("".join(each.message for each in evil))
        await editor.close()

    asyncio.run(talk())


def test_without_the_extra_it_says_so(monkeypatch, sluicegate):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    ran = sluicegate("lsp")
    assert (ran.code, ran.out) == (2, "")
    assert "pip install 'sluicegate[lsp]'" in ran.err
