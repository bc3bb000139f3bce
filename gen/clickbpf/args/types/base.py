"""The base of argument types."""

from collections.abc import Iterable, Sequence
from typing import Any

from clickbpf.args.context import NOWHERE, Context
from clickbpf.args.error import WRONG_ARGUMENTS, ArgError
from clickbpf.args.values import HandlerName


class Type:
    """Parses texts of one kind.

    Texts come as an argument of a configuration string: trimmed, comments gone, quotes still there.
    """

    #: C type of a value as a compile-time constant ("__u8[6]" is an array), None where C has no use for it.
    c_type: str | None = None
    #: The result of describe(), if it is always the same.
    described: str
    #: Click's message about a text that is not of this type at all.
    wrong_in_click = "parse error"
    #: The same about a text written to a handler of a field, if that is another one.
    written_in_click = ""

    def parse(self, text: str, context: Context = NOWHERE) -> Any:
        """The value of `text`; ArgError if it has none."""
        raise NotImplementedError(type(self).__name__)

    def parse_written(self, text: str, wrong: str = "", argument: str = "", context: Context = NOWHERE) -> Any:
        """The value of a text written to a handler. ArgError with the message `wrong`, if that isn't empty, and the type's own message as
        its hint. With `argument`, it is as if the element's argument of that name were wrong."""
        try:
            return self.parse(text.strip(), context)
        except ArgError as error:
            if wrong:
                raise ArgError(wrong, error.message) from None
            said = error.in_click or error.message
            if argument:
                raise ArgError(error.message, error.hint, in_click=f"{argument}: {said}", result=WRONG_ARGUMENTS) from None
            raise ArgError(error.message, error.hint, in_click=self.written_in_click or said, result=error.result) from None

    def c_value(self, value: Any) -> str | None:
        """The value as a C initialiser of `c_type`."""
        return None

    def to_field(self, value: Any) -> Any:
        """The value as it is stored in a field of an element's state."""
        return value

    def from_field(self, field: Any) -> Any:
        """The value of a field of an element's state."""
        return field

    def unparse(self, value: Any) -> str:
        """A text that parses to `value`, in Click's form where it has one."""
        return str(value)

    def calls(self, value: Any) -> tuple[HandlerName, ...]:
        """The write handlers that an element with this value will call."""
        return ()

    def elided(self, text: str) -> str:
        """The text as clients see it that have no right to secrets."""
        return text

    def describe(self) -> str:
        """The accepted texts in words, for manual pages and hints: "an integer from 0 to 255"."""
        return self.described

    def proposals(self) -> Iterable[str]:
        """Texts of this type that an editor proposes: all of them if they are few, or those that exist on this machine."""
        return ()

    def wrong(self, text: str, **where: Any) -> ArgError:
        """The error for a text that is not of this type at all."""
        return ArgError(f"{quoted(text)} is not {self.describe()}", in_click=self.wrong_in_click, **where)


class Bulk(Type):
    """A type of arguments that may come by the million (`Rest`): those in a plain form are read many at once, the others one by
    one by `parse()`. The declaration's value is what `collect()` makes of all of them."""

    def run(self, config: str, start: int) -> tuple[Sequence[Any], int]:
        """The values of the run of arguments in the plain form that begins at `start`, and the offset at which the next argument
        begins, after the run's last comma. If the argument at `start` is in another form, there are no values and the offset is
        `start`. More arguments in the plain form may follow later."""
        raise NotImplementedError(type(self).__name__)

    def collect(self, parts: Iterable[Sequence[Any]]) -> Sequence[Any]:
        """All values, of runs and of single arguments, in their order."""
        raise NotImplementedError(type(self).__name__)


def quoted(text: str) -> str:
    """A user's text, in the form for messages."""
    return f"'{text}'" if len(text) <= 60 else f"'{text[:57]}...'"
