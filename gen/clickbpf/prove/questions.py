"""Questions about a router, and the paths of packets that would contradict their claims."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from lark import Lark, Token, Transformer, UnexpectedInput, v_args

from clickbpf.args.context import Context
from clickbpf.errors import ClickError, Diagnostic, Place
from clickbpf.frozen import frozen
from clickbpf.prove import terms
from clickbpf.prove.explore import End, Fate
from clickbpf.prove.frames import FIELDS, Frame, is_asked
from clickbpf.prove.values import Truth

#: The default rules.
SHIPPED = Path(__file__).parent / "router.rules"


@frozen
class Question:
    """A claim by its name, and its `words`, about packets that arrive on `device` (None: any) and match the pattern."""

    text: str
    claim: str
    words: tuple[str, ...] = ()
    device: str | None = None
    pattern: str = ""
    line: int = 1

    @property
    def wants_one(self) -> bool:
        """Whether an example proves the claim rather than refuting it."""
        return self.claim == "reached"

    def counts(self, end: End) -> Truth | bool:
        """Whether packets on this path contradict the claim (or show that of `reached`), apart from their contents."""
        sent = end.fate is Fate.SENT
        match self.claim:
            case "not_on" | "reached":
                return sent and self.words[0] in end.devices
            case "on":
                return end.fate is not Fate.HANDED and end.devices != self.words
            case "loops":
                return end.fate is Fate.LOOP
            case "not_to_linux":
                return end.fate is Fate.HOST
            case "cost":
                return end.state.count > int(self.words[0])
            case "reasoned":
                return end.fate is Fate.ABORTED or (end.fate is Fate.DROPPED and not end.reasons)
        return sent

    def against(self, before: Frame, after: Frame, written: Iterable[int] | None, context: Context) -> Truth:
        """The condition under which a packet on a counting path contradicts the claim. `written` are the offsets of bytes that may have
        changed, None if the frame's start was moved."""
        scope = is_asked(self.pattern, context, before)
        if self.claim == "checksum_right":
            return terms.all_of((scope, after.has_wrong_checksum()))
        if self.claim == "only":
            return terms.all_of((scope, written is None or self._changes(before, after, written)))
        return scope

    def _changes(self, before: Frame, after: Frame, written: Iterable[int]) -> Truth:
        """Whether bytes outside the fields change. (Trailing bytes that are cut off don't count.)"""
        allowed = {place for field in self.words for place in FIELDS[field]}
        compared = [at for at in written if at not in allowed]
        changed = (terms.all_of((after.has(at + 1), terms.opposite(terms.equal(before.byte(at), after.byte(at))))) for at in compared)
        return terms.any_of((*changed, terms.below(before.length, after.length)))


@cache
def _parser() -> Lark:
    return Lark((Path(__file__).parent / "questions.lark").read_text(), parser="lalr", maybe_placeholders=False, propagate_positions=True)


def read(text: str, name: str) -> list[Question]:
    """The questions of a rules file; ClickError with the places of mistakes."""
    try:
        tree = _parser().parse(text + "\n")
    except UnexpectedInput as error:
        place = Place(name, getattr(error, "line", 1), getattr(error, "column", 1))
        raise ClickError([Diagnostic(place, "this is no question", "docs/proofs.md has the forms of questions")]) from None
    found = _Reader(text.splitlines()).transform(tree)
    if mistakes := [mistake for question in found for mistake in _mistakes(question, name)]:
        raise ClickError(mistakes)
    return found


def _mistakes(question: Question, name: str) -> Iterator[Diagnostic]:
    """The mistakes in a claim's words."""
    place = Place(name, question.line, 1)
    for field in question.words if question.claim == "only" else ():
        if field not in FIELDS:
            yield Diagnostic(place, f"there is no field '{field}'", f"fields are {', '.join(FIELDS)}")
    if question.claim == "cost" and not question.words[0].isdecimal():
        yield Diagnostic(place, f"'{question.words[0]}' is no number of instructions", "cost <= 500 instructions")


class _Reader(Transformer):
    def __init__(self, lines: Sequence[str]):
        super().__init__()
        self._lines = lines

    def start(self, parts: list) -> list[Question]:
        return [part for part in parts if isinstance(part, Question)]

    @v_args(meta=True)
    def claimed(self, meta, parts: list) -> Question:
        (device, words), (claim, arguments), line = *parts, meta.line
        return Question(self._text(line), claim, tuple(arguments), device, words, line)

    @v_args(meta=True)
    def reached(self, meta, parts: list) -> Question:
        device, *rest = parts
        return Question(self._text(meta.line), "reached", (str(device),), None, rest[0] if rest else "", meta.line)

    @v_args(meta=True)
    def reasoned(self, meta, _parts: list) -> Question:
        return Question(self._text(meta.line), "reasoned", line=meta.line)

    def scope(self, parts: list) -> tuple[str | None, str]:
        device = next((part[0] for part in parts if isinstance(part, tuple)), None)
        return device, next((part for part in parts if isinstance(part, str) and not isinstance(part, Token)), "")

    def source(self, parts: list) -> tuple[str]:
        return (str(parts[0]),)

    def pattern(self, parts: list) -> str:
        return " ".join(parts)

    field = pattern

    def __default__(self, name, children: list, _meta) -> tuple[str, list[str]]:
        """A claim: its name, and its words."""
        return str(name), [str(child) for child in children]

    def _text(self, line: int) -> str:
        return self._lines[line - 1].partition("#")[0].strip()
