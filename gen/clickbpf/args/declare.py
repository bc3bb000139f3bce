"""How an element class declares the arguments of its configuration string.

    args = (
        Required("COLOR", Integer(8)),              Paint(3), Paint(COLOR 3)
        Optional("ANNO", Anno(1), 16),              Paint(3, 17), Paint(3, ANNO 17)
        Keyword("ACTIVE", Bool(), True),            ..., ACTIVE false
        RequiredKeyword("FILE", Filename()),
        Rest("PATTERN", Raw()),                     everything else, as a tuple
    )

Values become attributes of `cfg` under the names in lower case; an argument left out has its default.
"""

from __future__ import annotations

from typing import Any, ClassVar

from clickbpf.args.types.base import Type
from clickbpf.frozen import frozen


@frozen
class Argument:
    """Base of the kinds."""

    name: str
    type: Type
    default: Any = None

    #: Whether it must be given.
    required: ClassVar[bool] = False
    #: Whether it may be given by its position, without its name.
    positional: ClassVar[bool] = False

    @property
    def field(self) -> str:
        """The attribute of `cfg` that has the value."""
        return self.name.lower()

    @property
    def synopsis(self) -> str:
        """How the argument looks in a manual page."""
        text = self.name if self.positional else f"{self.name} ..."
        return text if self.required else f"[{text}]"


class Required(Argument):
    """Must be given, by position or by name."""

    required = positional = True


class Optional(Argument):
    """May be given, by position or by name."""

    positional = True


class Keyword(Argument):
    """May be given by name."""


class RequiredKeyword(Argument):
    """Must be given by name."""

    required = True


@frozen
class Rest(Argument):
    """All arguments that no other declaration takes, in order; the value is a tuple. At least `least` must be given. With `named`, each
    may have the name in front."""

    default: Any = ()
    least: int = 0
    named: bool = False

    @property
    def synopsis(self) -> str:
        return f"{self.name}, ..." if self.least else f"[{self.name}, ...]"


def synopsis(class_name: str, arguments: tuple[Argument, ...]) -> str:
    """The form of a class's configuration: `Paint(COLOR, [ANNO])`."""
    return f"{class_name}({', '.join(argument.synopsis for argument in arguments)})"
