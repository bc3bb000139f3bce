"""The syntax tree of a Click configuration.

Every node is frozen and has its place. Comparisons ignore places, so two trees are equal if they mean the same.  A tree contains what
was written: names aren't looked up, port ranges and compound elements aren't expanded (`clickbpf.graph.elaborate` does that).

    File          statements of one file
    Chain         a [1] -> [0] b, c :: C => ...      one more hop than arrows
    Declaration   a, b :: C(config)                  alone in its statement
    ElementClass  elementclass C { ... }, elementclass C D
    Require, Provide, Define                         a keyword and a configuration string
    Broken        a statement with a syntax mistake, and what it may have meant
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator
from dataclasses import field

from clickbpf.errors import Place, Sources
from clickbpf.frozen import frozen

NOWHERE = Place("<made>", 1, 1)


def _place() -> Place:
    return field(default=NOWHERE, compare=False, repr=False)


@frozen(slots=True)
class Anchor:
    """The characters of a text from `offset` on come from `place` on.

    If `fixed`, all of them come from `place` itself: they replaced something shorter.
    """

    offset: int
    place: Place
    fixed: bool = False


@frozen(slots=True)
class Config:
    """A configuration string: the text between the parentheses, as written.

    `anchors`, sorted by offset and beginning at offset 0, have the places of its characters.
    A `guessed` string was never closed, so its end is a guess.
    """

    text: str
    anchors: tuple[Anchor, ...] = field(default=(Anchor(0, NOWHERE),), compare=False, repr=False)
    guessed: bool = field(default=False, compare=False, repr=False)

    @property
    def place(self) -> Place:
        return self.anchors[0].place

    def place_of(self, offset: int) -> Place:
        """The place of the character at `offset` (or of the end, for the length)."""
        i = bisect.bisect_right(self.anchors, offset, key=lambda a: a.offset) - 1
        anchor = self.anchors[max(i, 0)]
        if anchor.fixed:
            return anchor.place
        return advance(anchor.place, self.text[anchor.offset : offset])

    def places_of(self, offsets: Iterable[int]) -> Iterator[Place]:
        """The places of characters at ascending offsets: each is found from the one before, so many take as long as one."""
        i, begin, place = -1, 0, self.anchors[0].place
        for offset in offsets:
            now = max(bisect.bisect_right(self.anchors, offset, key=lambda a: a.offset) - 1, 0)
            if now != i:
                i, begin, place = now, self.anchors[now].offset, self.anchors[now].place
            if not self.anchors[i].fixed:
                begin, place = offset, advance(place, self.text[begin:offset])
            yield place


def advance(place: Place, text: str) -> Place:
    """The place just after `text`, which begins at `place`."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) == 1:
        return Place(place.file, place.line, place.column + len(text))
    return Place(place.file, place.line + len(lines) - 1, len(lines[-1]) + 1)


@frozen(slots=True)
class PortRange:
    """`first` alone when `last` equals it, else `first-last`."""

    first: int
    last: int


@frozen(slots=True)
class Ports:
    """`[0, 2-4]`; if `open`, as `[]` and `[3,]` are, as many more as the other side has."""

    ranges: tuple[PortRange, ...]
    open: bool = False
    place: Place = _place()


@frozen(slots=True)
class ClassName:
    name: str
    place: Place = _place()


@frozen(slots=True)
class Formal:
    """A parameter of a compound: `$name`, or `KEYWORD $name`; `__REST__` is a keyword like others."""

    name: str
    keyword: str | None = None
    place: Place = _place()


@frozen(slots=True)
class Body:
    """One definition of a compound: `$a, KEY $b | statements`."""

    formals: tuple[Formal, ...]
    statements: tuple[Statement, ...]
    place: Place = _place()


@frozen(slots=True)
class Compound:
    """`{ body || body }`; with `extends` it ends in `|| ...`."""

    bodies: tuple[Body, ...]
    extends: bool = False
    place: Place = _place()


@frozen(slots=True)
class Use:
    """`name` or `name(config)`: an element declared elsewhere, or one that is made here, of the class of that name."""

    name: str
    config: Config | None = None
    place: Place = _place()


@frozen(slots=True)
class Declare:
    """`name :: Class(config)` within a connection."""

    name: str
    class_: ClassName | Compound
    config: Config | None = None
    place: Place = _place()


@frozen(slots=True)
class Anonymous:
    """`{ ... }(config)`: an element of an anonymous compound."""

    compound: Compound
    config: Config | None = None
    place: Place = _place()


@frozen(slots=True)
class Group:
    """`( statements )`: an element group."""

    statements: tuple[Statement, ...]
    place: Place = _place()


@frozen(slots=True)
class Item:
    """`[inputs] element [outputs]`.

    Without an element it means `input` at the beginning of a chain and `output` at the end; its ports, if any, are in `inputs`.
    """

    inputs: Ports | None
    element: Use | Declare | Anonymous | Group | None
    outputs: Ports | None
    place: Place = _place()


@frozen(slots=True)
class Arrow:
    text: str
    place: Place = _place()


@frozen(slots=True)
class Chain:
    """Hops, each a comma-separated list of items, joined by `->` or `=>`.

    If it `abuts`, no semicolon separates it from the statement before it, and an arrow may be missing there.
    """

    hops: tuple[tuple[Item, ...], ...]
    arrows: tuple[Arrow, ...]
    place: Place = _place()
    abuts: bool = field(default=False, compare=False, repr=False)


@frozen(slots=True)
class Name:
    name: str
    place: Place = _place()


@frozen(slots=True)
class Declaration:
    """`name, name :: Class(config)`: every name gets the class and the configuration; `abuts` as for a Chain."""

    names: tuple[Name, ...]
    class_: ClassName | Compound
    config: Config | None = None
    place: Place = _place()
    abuts: bool = field(default=False, compare=False, repr=False)


@frozen(slots=True)
class ElementClass:
    name: str
    class_: ClassName | Compound
    place: Place = _place()


@frozen(slots=True)
class Require:
    config: Config
    place: Place = _place()


@frozen(slots=True)
class Provide:
    config: Config
    place: Place = _place()


@frozen(slots=True)
class Define:
    config: Config
    place: Place = _place()


@frozen(slots=True)
class Broken:
    """A statement with a syntax mistake; only trees of texts with mistakes have any.

    `guess` is the statement that it may have meant, if any; `words` are the names and variables in the parts that `guess` leaves out.
    If `nameless`, it probably defined a name that can't be inferred; if `lacks_element`, an element is missing in it.
    """

    guess: Statement | None
    words: frozenset[str] = frozenset()
    nameless: bool = False
    lacks_element: bool = False
    place: Place = _place()


Statement = Chain | Declaration | ElementClass | Require | Provide | Define | Broken


@frozen(slots=True)
class File:
    """A whole configuration: its statements, the text they came from, and the other members of
    the archive that held it, by name."""

    statements: tuple[Statement, ...]
    sources: Sources = field(default_factory=Sources, compare=False, repr=False)
    archive: tuple[tuple[str, bytes], ...] = ()
    text: str = field(default="", compare=False, repr=False)
    place: Place = _place()
