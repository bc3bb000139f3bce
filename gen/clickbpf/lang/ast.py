"""The syntax tree of a Click configuration.

Every node is frozen and knows its place; places take no part in comparisons, so two trees are
equal when they say the same thing.  A tree says what was written: names are not looked up, port
ranges not counted out, compound elements not expanded (`clickbpf.graph.elaborate` does that).

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
    """From `offset` of a text on, its characters come from `place` on.

    With `fixed`, all of them come from `place` itself: they were put in for something shorter.
    """

    offset: int
    place: Place
    fixed: bool = False


@frozen(slots=True)
class Config:
    """A configuration string: the text between the parentheses, as written.

    `anchors`, ordered by offset and beginning with offset 0, say where its characters come from.
    A `guessed` one was never closed: where it ends is a guess.
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
        """The places of characters at offsets that grow: each is found from the one before, so many take no longer than one."""
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
    """`[0, 2-4]`; with `open`, as in `[]` and `[3,]`, as many more as the other side has."""

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
    """`{ ... }(config)`: an element of a compound written on the spot."""

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

    Without an element it means `input` or `output`, whichever fits its end of the chain, and
    the ports, if any, are in `inputs`.
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

    With `abuts`, no semicolon separates it from the statement before it: an arrow may be missing there.
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

    `guess` is what was made of it, if anything; `words` are the names and variables in what was left out of it.
    With `nameless` it probably defined a name that can't be inferred; with `lacks_element` an element is missing in it.
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
