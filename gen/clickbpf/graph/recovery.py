"""Records what reported mistakes hide about a router, so that one mistake is one report.

One `Recovery` accompanies the `Diagnostics` of a configuration. Looking up names records in it the statements that can't be understood,
and expansion the elements that these concern; checks consult it before they report. For a sound configuration it is empty.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from clickbpf.errors import Place
from clickbpf.frozen import frozen
from clickbpf.graph.declarations import Missing
from clickbpf.graph.guess import count_missing_elements, count_nameless, mentioned, unclear_names
from clickbpf.graph.similar import SimilarNames
from clickbpf.lang import ast


@frozen(slots=True)
class Gap:
    """Two adjacent elements with neither arrow nor semicolon between them."""

    before: str
    after: str
    place: Place


@dataclass
class Recovery:
    #: Elements of which nothing is known, because their class or name was wrong.
    unknown: set[str] = field(default_factory=set)
    #: Elements that may have more connections than are known.
    incomplete: set[str] = field(default_factory=set)
    #: The number of elements that are missing in statements.
    missing_elements: int = 0
    #: Pairs of elements between which an arrow may be missing.
    gaps: list[Gap] = field(default_factory=list)

    # While names are looked up.

    #: Whether the present statement has syntax mistakes.
    guessing: bool = False
    #: Names that such statements may define, and names that they do declare.
    explained: set[str] = field(default_factory=set)
    guessed: set[str] = field(default_factory=set)
    #: Other names and variables that mistakes may hide the definitions of; "$" is any variable.
    lost: set[str] = field(default_factory=set)
    #: The number of names that are defined, but can't be inferred.
    nameless: int = 0
    #: Whether a library, which may define anything, wasn't found.
    missing_library: bool = False
    #: Names with mistakes in the present definition.
    missing: Missing = field(default_factory=Missing)
    #: Classes that were used as names of elements.
    misnamed: set[str] = field(default_factory=set)
    similar: SimilarNames = field(default_factory=SimilarNames)

    @property
    def words(self) -> set[str]:
        """Names and variables that mistakes may hide the definitions of; "$" is any variable."""
        return self.explained | self.lost

    @property
    def has_all_connections(self) -> bool:
        """Whether mistakes hide no connections but those of elements that are `incomplete`."""
        return not (self.explained or self.guessed or self.missing_elements or self.gaps or self.nameless or self.missing_library)

    def look_ahead(self, statements: Iterable[ast.Statement]) -> None:
        """Record what is hidden in those of the statements that have syntax mistakes."""
        self.explained |= unclear_names(statements)
        self.nameless += count_nameless(statements)
        self.missing_elements += count_missing_elements(statements)

    def note_unclear(self, statement: ast.Statement) -> None:
        """Record that the statement may not mean what it seems to."""
        self.explained |= set(mentioned(statement))

    @contextmanager
    def within(self, guessing: bool) -> Iterator[bool]:
        """Set `guessing` for the statements inside; yields its value outside."""
        around, self.guessing = self.guessing, guessing
        yield around
        self.guessing = around

    @contextmanager
    def definition(self) -> Iterator[None]:
        """Look up the statements of a compound, whose names have their own mistakes."""
        around, self.missing = self.missing, Missing()
        with self.within(False):
            yield
        self.missing = around

    def may_exist(self, name: str, hint: str | None) -> bool:
        """Whether a reported mistake may have hidden the definition of `name`; `hint` names a similar one, if there is one."""
        if self.guessing or name in self.explained or self.similar(name, self.missing.twice):
            return True
        if self.nameless and not self.missing_library:
            self.nameless -= 1
            return True
        return self.missing_library and hint is None

    def meant(self, names: dict) -> Iterator[str]:
        """The definition's names that may have been meant by undeclared names, or that statements with mistakes mention."""
        for name in self.missing.used:
            yield from self.similar(name, names)
        yield from self.explained & names.keys()
