"""Answers to an editor's questions about a position of a text, as plain values."""

import inspect
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path

from clickbpf.args.declare import Rest
from clickbpf.editor.analysis import Analysis
from clickbpf.editor.words import CLASS, ELEMENT, VARIABLE, Position, Symbol, Word
from clickbpf.frozen import frozen
from clickbpf.lang.config import pieces, split_args, split_keyword
from clickbpf.lang.tokens import KEYWORDS
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.manual import form, in_order, manual, said, summary

ARGUMENT, HANDLER, KEYWORD, VALUE = "argument", "handler", "keyword", "value"
_NAME = r"[A-Za-z0-9_@]+(?:/[A-Za-z0-9_@]+)*"


@frozen
class Proposal:
    """A text that may be typed at a position, its kind (those of words, ARGUMENT, HANDLER, KEYWORD, VALUE), and a line about it."""

    text: str
    kind: str
    about: str = ""


@frozen
class Signature:
    """A class with its arguments, each as its range in `label` and its description; `active` is the number of the one being typed."""

    label: str
    about: str
    arguments: tuple[tuple[tuple[int, int], str], ...]
    active: int


@frozen
class Target:
    """The range of a word in a file."""

    file: str
    begin: Position
    end: Position


# -- completion ---------------------------------------------------------------------------------------------------------


def proposals(text: str, at: int, analysis: Analysis, position: Position, library: Library) -> list[Proposal]:
    """Proposals for an offset of a text, which may be newer than its analysis."""
    before = text[:at]
    scope = analysis.names.scope_at(position)
    visible = list(analysis.names.visible(scope))
    inside = _call(before)
    if _match_back(r"\w*\$", before):
        return [Proposal(symbol.name, VARIABLE) for symbol in visible if symbol.kind == VARIABLE]
    elements = [Proposal(symbol.name, ELEMENT, symbol.class_name) for symbol in visible if symbol.kind == ELEMENT]
    if inside is None:
        return [*elements, *_classes(visible, library), *(Proposal(keyword, KEYWORD) for keyword in KEYWORDS)]
    dotted = _match_back(rf"\w*\.({_NAME})", before)
    if dotted:
        named = next((symbol for symbol in visible if (symbol.kind, symbol.name) == (ELEMENT, dotted[1][::-1])), None)
        return list(_handlers(named, library)) if named else []
    return [*_values(*inside, library), *_arguments(inside[0], library), *elements]


def signature(text: str, at: int, library: Library) -> Signature | None:
    """The class whose arguments are being typed at an offset of a text."""
    inside = _call(text[:at])
    if not inside or not library.known(inside[0]):
        return None
    class_ = library.find(inside[0])
    label, arguments = f"{inside[0]}(", []
    for each in in_order(class_.args):
        label += ", " if arguments else ""
        arguments.append(((len(label), len(label) + len(form(each))), f"{said(each)} ({each.type.describe()})"))
        label += form(each)
    return Signature(f"{label})", summary(class_), tuple(arguments), _active(class_, inside[1]))


def _active(class_: type[Element], begun: Sequence[str]) -> int:
    """The number of the class's argument to which the last of the typed ones belongs, as far as is known; the number of arguments if it is
    none of them."""
    ordered = in_order(class_.args)
    names = [each.name for each in ordered]
    keywords = [(split_keyword(each) or ("", ""))[0] for each in begun]
    if keywords[-1] in names:
        return names.index(keywords[-1])
    places = [number for number, each in enumerate(ordered) if each.positional or isinstance(each, Rest)]
    given = sum(keyword not in names for keyword in keywords[:-1])
    last = [places[-1]] if places and isinstance(ordered[places[-1]], Rest) else [len(ordered)]
    return (places[given:] or last)[0]


def _call(before: str) -> tuple[str, list[str]] | None:
    """The name before the innermost parenthesis still open at the end of a text, and the arguments after it; the last one is unfinished.
    None if no parenthesis is open."""
    open_: list[int] = []
    for piece in pieces(before):
        if piece[0] == "(":
            open_.append(piece.start())
        elif piece[0] in (")", "{", "}") or (piece.lastgroup == "other" and set(piece[0]) & set("{};") and not open_):
            del open_[-1 if piece[0] == ")" else 0 :]
    if not open_:
        return None
    named = _match_back(rf"\s*({_NAME})", before[: open_[-1]])
    return named[1][::-1] if named else "", [argument for argument, _ in split_args(f"{before[open_[-1] + 1 :]}?")]


def _match_back(pattern: str, before: str) -> re.Match[str] | None:
    """Match the reversed text, from its end, with a pattern for reversed text: a search from the front would try every character of a long
    word as the beginning."""
    return re.match(pattern, before[::-1])


def _classes(visible: list[Symbol], library: Library) -> Iterator[Proposal]:
    yield from (Proposal(symbol.name, CLASS, "compound") for symbol in visible if symbol.kind == CLASS)
    for name in library:
        yield Proposal(name, CLASS, summary(library.find(name)))


def _values(class_name: str, begun: Sequence[str], library: Library) -> Iterator[Proposal]:
    """Values for the argument that is being typed."""
    ordered = in_order(library.find(class_name).args) if library.known(class_name) else []
    for argument in ordered[_active(library.find(class_name), begun) :][:1] if ordered else ():
        yield from (Proposal(value, VALUE, argument.name) for value in argument.type.proposals())


def _arguments(class_name: str, library: Library) -> Iterator[Proposal]:
    for argument in library.find(class_name).args if library.known(class_name) else ():
        yield Proposal(argument.name, ARGUMENT, argument.type.describe())


def _handlers(symbol: Symbol, library: Library) -> Iterator[Proposal]:
    if library.known(symbol.class_name):
        for name, handler in sorted(library.find(symbol.class_name).handlers().items()):
            yield Proposal(name, HANDLER, handler.doc.partition("\n")[0] if handler.doc else "")


# -- the word under the cursor ------------------------------------------------------------------------------------------


def hover(analysis: Analysis, position: Position, library: Library) -> tuple[str, Word] | None:
    """A description of the word at a position (its kind, where it runs, the class's manual page), and the word."""
    word = analysis.names.at(position)
    if word is None:
        return None
    symbol = analysis.names.meaning(word)
    if symbol is None and word.argument:
        return None
    class_name = word.text if symbol is None else symbol.class_name if symbol.kind == ELEMENT else ""
    parts = [f"{symbol.name} :: {symbol.class_name or '{ ... }'}"] if symbol and symbol.kind == ELEMENT else []
    parts += [f"elementclass {symbol.name}"] if symbol and symbol.kind == CLASS else []
    parts += [f"variable ${symbol.name}"] if symbol and symbol.kind == VARIABLE else []
    at = symbol.word.at if symbol else word.at
    parts += [f"{name} runs in {placed.where}: {placed.reason}" for name, placed in analysis.placed.get(at, {}).items()]
    parts += [manual(library.find(class_name))] if class_name and library.known(class_name) else []
    return ("\n\n".join(parts), word) if parts else None


def definition(analysis: Analysis, position: Position, library: Library) -> Target | None:
    """The declaration of the word at a position; for a class of the library, its file."""
    word = analysis.names.at(position)
    symbol = word and analysis.names.meaning(word)
    if symbol:
        return Target(analysis.file, symbol.word.at, symbol.word.end)
    if word is None or word.argument or not library.known(word.text):
        return None
    found = library.find(word.text)
    file, line = inspect.getsourcefile(found), inspect.getsourcelines(found)[1] - 1
    return Target(str(Path(file or "").resolve()), (line, 0), (line, 0)) if file else None


def references(analysis: Analysis, position: Position) -> list[Word]:
    """All words with the same meaning as the one at a position."""
    word = analysis.names.at(position)
    symbol = word and analysis.names.meaning(word)
    return analysis.names.references(symbol) if symbol else []


def outline(analysis: Analysis, scope: int = 0) -> list[tuple[Symbol, list]]:
    """The classes and elements declared in a scope, each with the declarations inside."""
    found = []
    for (where, kind, _), symbol in analysis.names.symbols.items():
        if where == scope and kind != VARIABLE:
            inner = _body(analysis, symbol)
            found.append((symbol, outline(analysis, inner) if inner else []))
    return found


def _body(analysis: Analysis, symbol: Symbol) -> int:
    """The scope of the braces that follow a declaration; 0 if there are none. Only the scope that begins next can be it."""
    number = bisect_left(analysis.names.scopes, symbol.word.end, lo=1, key=lambda scope: scope.begin)
    if number == len(analysis.names.scopes) or analysis.names.scopes[number].parent != symbol.word.scope:
        return 0
    between = _between(analysis.lines, symbol.word.end, analysis.names.scopes[number].begin)
    return number if re.fullmatch(r"\s*(::)?\s*", between) else 0


def _between(lines: Sequence[str], begin: Position, end: Position) -> str:
    """The text between two positions, or only its first line if that has more than may precede braces."""
    first = lines[begin[0]][begin[1] : end[1] if begin[0] == end[0] else None]
    if begin[0] == end[0] or first.strip() not in ("", "::"):
        return first
    return "\n".join((first, *lines[begin[0] + 1 : end[0]], lines[end[0]][: end[1]]))
