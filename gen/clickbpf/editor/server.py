"""The Language Server Protocol, version 3.17, on standard input and output, by pygls."""

import asyncio
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from clickbpf import __version__
from clickbpf.editor import answers
from clickbpf.editor.analysis import Analysis, analyse
from clickbpf.editor.words import CLASS, ELEMENT, VARIABLE, Position, Symbol, Word, position
from clickbpf.errors import ClickError, Diagnostic, word_end
from clickbpf.lang.fixing import fixes
from clickbpf.lang.formatting import formatted
from clickbpf.vocabulary.library import Library

#: A text is checked after this many seconds without typing.
PAUSE = 0.15
_KINDS = {
    ELEMENT: types.CompletionItemKind.Variable,
    CLASS: types.CompletionItemKind.Class,
    VARIABLE: types.CompletionItemKind.Constant,
    answers.ARGUMENT: types.CompletionItemKind.Property,
    answers.HANDLER: types.CompletionItemKind.Method,
    answers.KEYWORD: types.CompletionItemKind.Keyword,
    answers.VALUE: types.CompletionItemKind.Value,
}
_SEVERITIES = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}


def serve(library: Library) -> None:
    """Serve until the editor ends the connection."""
    make_server(library).start_io()


def make_server(library: Library) -> LanguageServer:
    server = LanguageServer("clickbpf", __version__)
    texts = _Texts(server, library)
    for method, answer, options in (
        (types.TEXT_DOCUMENT_DID_OPEN, texts.opened, None),
        (types.TEXT_DOCUMENT_DID_CHANGE, texts.changed, None),
        (types.TEXT_DOCUMENT_DID_CLOSE, texts.closed, None),
        (types.TEXT_DOCUMENT_COMPLETION, texts.completion, types.CompletionOptions(trigger_characters=["$", "."])),
        (types.TEXT_DOCUMENT_SIGNATURE_HELP, texts.signature, types.SignatureHelpOptions(trigger_characters=["(", ","])),
        (types.TEXT_DOCUMENT_HOVER, texts.hover, None),
        (types.TEXT_DOCUMENT_DEFINITION, texts.definition, None),
        (types.TEXT_DOCUMENT_REFERENCES, texts.references, None),
        (types.TEXT_DOCUMENT_RENAME, texts.rename, None),
        (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, texts.outline, None),
        (types.TEXT_DOCUMENT_FORMATTING, texts.formatting, None),
        (types.TEXT_DOCUMENT_CODE_ACTION, texts.code_actions, types.CodeActionOptions([types.CodeActionKind.QuickFix])),
    ):
        server.feature(method, options)(partial(answer))  # since pygls sets attributes, which methods can't have
    return server


class _Texts:
    """The open texts, with their latest analyses."""

    def __init__(self, server: LanguageServer, library: Library):
        self.server, self.library = server, library
        self.known: dict[str, tuple[int | None, Analysis]] = {}

    # -- notifications by the editor ------------------------------------------------------------------------------------

    async def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        self._publish(params.text_document.uri)

    async def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """Check the text after a pause in typing."""
        uri = params.text_document.uri
        version = self._document(uri).version
        await asyncio.sleep(PAUSE)
        if uri in self.server.workspace.text_documents and self._document(uri).version == version:
            self._publish(uri)

    async def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        self.known.pop(params.text_document.uri, None)
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))

    def _publish(self, uri: str) -> None:
        analysis, document = self._analysis(uri), self._document(uri)
        found = [self._diagnostic(document, analysis, each) for each in analysis.diagnostics]
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, document.version))

    def _diagnostic(self, document: TextDocument, analysis: Analysis, said: Diagnostic) -> types.Diagnostic:
        """Convert a diagnostic. Mistakes in a library that the text requires are shown at the beginning of the text."""
        begin, end, message = (0, 0), (0, 1), said.message
        if said.place and said.place.file == analysis.file:
            begin = said.place.line - 1, max(0, said.place.column - 1)
            line = analysis.lines[begin[0]] if begin[0] < len(analysis.lines) else ""
            end = begin[0], word_end(line, begin[1] + 1) - 1
        elif said.place:
            message = f"{said.place}: {message}"
        hint = f"\nhint: {said.hint}" if said.hint else ""
        return types.Diagnostic(self._range(document, begin, end), message + hint, _SEVERITIES[said.severity], source="clickbpf")

    # -- the editor's requests ------------------------------------------------------------------------------------------

    def completion(self, params: types.CompletionParams) -> list[types.CompletionItem]:
        document = self._document(params.text_document.uri)
        at, offset = self._place(document, params.position)
        found = answers.proposals(document.source, offset, self._analysis(document.uri), at, self.library)
        unique = {(each.text, each.kind): each for each in reversed(found)}
        return [types.CompletionItem(each.text, kind=_KINDS[each.kind], detail=each.about or None) for each in unique.values()]

    def signature(self, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        document = self._document(params.text_document.uri)
        found = answers.signature(document.source, self._place(document, params.position)[1], self.library)
        if found is None:
            return None
        arguments = [types.ParameterInformation(where, text) for where, text in found.arguments]
        return types.SignatureHelp([types.SignatureInformation(found.label, found.about, arguments)], 0, found.active)

    def hover(self, params: types.HoverParams) -> types.Hover | None:
        document = self._document(params.text_document.uri)
        found = answers.hover(self._analysis(document.uri), self._position(document, params.position), self.library)
        if found is None:
            return None
        text, word = found
        return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, text), self._range(document, word.at, word.end))

    def definition(self, params: types.DefinitionParams) -> types.Location | None:
        document = self._document(params.text_document.uri)
        analysis = self._analysis(document.uri)
        found = answers.definition(analysis, self._position(document, params.position), self.library)
        if found is None:
            return None
        if found.file == analysis.file:
            return types.Location(document.uri, self._range(document, found.begin, found.end))
        return types.Location(from_fs_path(found.file) or "", types.Range(types.Position(*found.begin), types.Position(*found.end)))

    def references(self, params: types.ReferenceParams) -> list[types.Location]:
        document = self._document(params.text_document.uri)
        found = answers.references(self._analysis(document.uri), self._position(document, params.position))
        return [types.Location(document.uri, self._range(document, word.at, word.end)) for word in found]

    def rename(self, params: types.RenameParams) -> types.WorkspaceEdit:
        document = self._document(params.text_document.uri)
        found = answers.references(self._analysis(document.uri), self._position(document, params.position))
        edits = [types.TextEdit(self._range(document, *_without_sign(word)), params.new_name.removeprefix("$")) for word in found]
        return types.WorkspaceEdit({document.uri: edits})

    def outline(self, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        document = self._document(params.text_document.uri)
        return self._symbols(document, answers.outline(self._analysis(document.uri)))

    def formatting(self, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        document = self._document(params.text_document.uri)
        try:
            made = formatted(document.source)
        except ClickError:  # it has mistakes, which the editor shows
            return []
        if made == document.source:
            return []
        last = len(document.lines)
        return [types.TextEdit(types.Range(types.Position(0, 0), types.Position(last, 0)), made)]

    def code_actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """Fixes for the mistakes in the requested range."""
        document = self._document(params.text_document.uri)
        analysis = self._analysis(document.uri)
        first, last = self._position(document, params.range.start), self._position(document, params.range.end)
        found = []
        for _, said in fixes(analysis.text, analysis.file, analysis.diagnostics):
            begin = position(said.place)
            where = self._range(document, begin, (begin[0], begin[1] + len(said.hint.old)))
            if begin <= last and first <= (begin[0], begin[1] + len(said.hint.old)):
                edit = types.WorkspaceEdit({document.uri: [types.TextEdit(where, said.hint.new)]})
                shown = self._diagnostic(document, analysis, said)
                title = f"Write '{said.hint.new}' instead of '{said.hint.old}'"
                found.append(types.CodeAction(title, types.CodeActionKind.QuickFix, [shown], True, edit=edit))
        return found

    # -- conversion between the protocol's values and ours -------------------------------------------------------------------

    def _document(self, uri: str) -> TextDocument:
        return self.server.workspace.get_text_document(uri)

    def _analysis(self, uri: str) -> Analysis:
        document = self._document(uri)
        version, analysis = self.known.get(uri, (None, None))
        if analysis is None or version != document.version or analysis.text != document.source:
            analysis = analyse(document.source, str(Path(to_fs_path(uri) or "config.click")), self.library)
            self.known[uri] = document.version, analysis
        return analysis

    def _position(self, document: TextDocument, position: types.Position) -> Position:
        found = document.position_codec.position_from_client_units(document.lines, position)
        return found.line, found.character

    def _place(self, document: TextDocument, position: types.Position) -> tuple[Position, int]:
        """A position, and its offset in the text."""
        at = self._position(document, position)
        return at, sum(len(line) for line in document.lines[: at[0]]) + at[1]

    def _range(self, document: TextDocument, begin: Position, end: Position) -> types.Range:
        plain = types.Range(types.Position(*begin), types.Position(*end))
        return document.position_codec.range_to_client_units(document.lines, plain)

    def _symbols(self, document: TextDocument, found: Iterable[tuple[Symbol, list]]) -> list[types.DocumentSymbol]:
        return [
            types.DocumentSymbol(
                symbol.name,
                types.SymbolKind.Class if symbol.kind == CLASS else types.SymbolKind.Object,
                self._range(document, symbol.word.at, symbol.word.end),
                self._range(document, symbol.word.at, symbol.word.end),
                detail=symbol.class_name or None,
                children=self._symbols(document, within),
            )
            for symbol, within in found
        ]


def _without_sign(word: Word) -> tuple[Position, Position]:
    return (word.at[0], word.at[1] + word.length - len(word.text)), word.end
