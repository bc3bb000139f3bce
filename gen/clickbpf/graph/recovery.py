"""What reported mistakes leave open about a router, so that one mistake is one report.

One `Recovery` accompanies the `Diagnostics` of a configuration: looking up names notes in it what wasn't understood, and
expansion notes which elements that concerns; the checks ask it before they report. For a sound configuration it is empty.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from clickbpf.errors import Place
from clickbpf.frozen import frozen
from clickbpf.graph.alike import Alike
from clickbpf.graph.around import Missing
from clickbpf.graph.guess import count_missing_elements, count_nameless, mentioned, unclear_names
from clickbpf.lang import ast


@frozen(slots=True)
class Gap:
    """Two elements next to each other with neither arrow nor semicolon between them."""

    before: str
    after: str
    place: Place


@dataclass
class Recovery:
    #: Elements whose class or name was wrong, of which nothing is known.
    unknown: set[str] = field(default_factory=set)
    #: Elements that may have more connections than are known.
    incomplete: set[str] = field(default_factory=set)
    #: How many elements are missing in statements.
    missing_elements: int = 0
    #: Where arrows may be missing.
    gaps: list[Gap] = field(default_factory=list)

    # While names are looked up.

    #: Whether the statement at hand was not understood.
    guessing: bool = False
    #: Names that such statements may explain, and names that they declared.
    explained: set[str] = field(default_factory=set)
    guessed: set[str] = field(default_factory=set)
    #: Other names and variables that may have been defined where it was not understood, "$" for any variable.
    lost: set[str] = field(default_factory=set)
    #: How many names are defined that can't be inferred.
    nameless: int = 0
    #: Whether a library wasn't found, which may define anything.
    missing_library: bool = False
    #: Names with mistakes in the definition at hand.
    missing: Missing = field(default_factory=Missing)
    #: Classes that were used as names of elements.
    misnamed: set[str] = field(default_factory=set)
    alike: Alike = field(default_factory=Alike)

    @property
    def words(self) -> set[str]:
        """Names and variables that may have been defined where it was not understood, "$" for any variable."""
        return self.explained | self.lost

    @property
    def has_all_connections(self) -> bool:
        """Whether mistakes hide no connections but those of elements that are `incomplete`."""
        return not (self.explained or self.guessed or self.missing_elements or self.gaps or self.nameless or self.missing_library)

    def look_ahead(self, statements: Iterable[ast.Statement]) -> None:
        """Note what the statements leave open that are not understood."""
        self.explained |= unclear_names(statements)
        self.nameless += count_nameless(statements)
        self.missing_elements += count_missing_elements(statements)

    def note_unclear(self, statement: ast.Statement) -> None:
        """Note that the statement may mean something other than it seems to."""
        self.explained |= set(mentioned(statement))

    @contextmanager
    def within(self, guessing: bool) -> Iterator[bool]:
        """Look up statements that are, or aren't, understood; yields whether those around them are."""
        around, self.guessing = self.guessing, guessing
        yield around
        self.guessing = around

    @contextmanager
    def definition(self) -> Iterator[None]:
        """Look up the statements of a compound, which has its own missing names."""
        around, self.missing = self.missing, Missing()
        with self.within(False):
            yield
        self.missing = around

    def may_exist(self, name: str, hint: str | None) -> bool:
        """Whether an unknown `name` may be the consequence of a reported mistake; `hint` is the name that may have been meant."""
        if self.guessing or name in self.explained or self.alike(name, self.missing.twice):
            return True
        if self.nameless and not self.missing_library:
            self.nameless -= 1
            return True
        return self.missing_library and hint is None

    def meant(self, names: dict) -> Iterator[str]:
        """Those of a definition's names that undeclared names may mean, or broken statements may concern."""
        for name in self.missing.used:
            yield from self.alike(name, names)
        yield from self.explained & names.keys()
