"""Declarations of the arguments of an element class's configuration string.

    args = (
        Required("COLOR", Integer(8), "the color"),                        Paint(3), Paint(COLOR 3)
        Optional("ANNO", Anno(1), 16, "where the color is written"),       Paint(3, 17), Paint(3, ANNO 17)
        Keyword("ACTIVE", Bool(), True, "whether it paints", setting=True),    ..., ACTIVE false
        RequiredKeyword("FILE", Filename(), "..."),
        Rest("PATTERN", Raw(), "..."),                                     everything else, as a tuple
    )

Values become attributes of `cfg` under the names in lower case; an argument left out has its default.

The last word is what the manual page says of the argument (vocabulary/manual.py), which adds the default unless the text does. An
argument whose text is SAME shares that of the argument before it; one without a text isn't shown.

A `setting` is a field of the element's state, which its handler of that name reads and sets, and which begins with the argument. It is
in the state that is named, or, if it is True, in `vars`, where C reads it by `setting(vars, active)`. A state that has nothing but
settings need not be declared.
`then` is a method to call after the handler has set it.
"""

import re
from collections.abc import Iterable
from typing import Any, ClassVar

from clickbpf.args.types.base import Type
from clickbpf.frozen import frozen

#: The text of an argument that the previous argument's text describes, too.
SAME = "..."


@frozen
class Argument:
    """The base of the kinds of declaration."""

    name: str
    type: Type
    default: Any = None
    text: str = ""
    setting: str | bool = ""
    then: str = ""

    #: Whether it must be given.
    required: ClassVar[bool] = False
    #: Whether it may be given by its position, without its name.
    positional: ClassVar[bool] = False

    @property
    def field(self) -> str:
        """The attribute of `cfg` with the value."""
        return self.name.lower()

    @property
    def state(self) -> str:
        """The state that a setting is a field of."""
        return "vars" if self.setting is True else str(self.setting)

    @property
    def synopsis(self) -> str:
        """The argument in messages about a configuration."""
        text = self.name if self.positional else f"{self.name} ..."
        return text if self.required else f"[{text}]"


class Required(Argument):
    """Must be given, by position or by name."""

    required = positional = True

    def __init__(self, name: str, type: Type, text: str = "", setting: str | bool = "", then: str = ""):
        super().__init__(name, type, None, text, setting, then)


class Optional(Argument):
    """May be given, by position or by name."""

    positional = True


class Keyword(Argument):
    """May be given by name."""


class RequiredKeyword(Argument):
    """Must be given by name."""

    required = True

    def __init__(self, name: str, type: Type, text: str = "", setting: str | bool = "", then: str = ""):
        super().__init__(name, type, None, text, setting, then)


@frozen
class Rest(Argument):
    """All arguments that no other declaration takes, in order; the value is a tuple. At least `least` must be given. With `named`, each
    may have the name in front."""

    least: int = 0
    named: bool = False

    def __init__(self, name: str, type: Type, text: str = "", least: int = 0, named: bool = False):
        super().__init__(name, type, (), text)
        object.__setattr__(self, "least", least)
        object.__setattr__(self, "named", named)

    @property
    def synopsis(self) -> str:
        return f"{self.name}, ..." if self.least else f"[{self.name}, ...]"


def check_texts(class_name: str, docstring: str, declared: Iterable[Argument]) -> None:
    """Raise TypeError if a class's docstring describes an argument, whose text belongs into its declaration."""
    if "Arguments:" not in docstring:
        return
    bare = {argument.name: argument for argument in declared if not argument.text}
    for name, text in re.findall(r"^ *- (\w+): (.*)", docstring, re.MULTILINE):
        if name in bare:
            form = f'{type(bare[name]).__name__}("{name}", ..., "{text.removesuffix(".")}")'
            raise TypeError(f"{class_name} says under 'Arguments:' what {name} is; write that into the argument's declaration: {form}")


def synopsis(class_name: str, arguments: tuple[Argument, ...]) -> str:
    """The form of a class's configuration: `Paint(COLOR, [ANNO])`."""
    return f"{class_name}({', '.join(argument.synopsis for argument in arguments)})"
