"""Types that are composed of other types."""

from typing import Any

from clickbpf.args.context import NOWHERE, Context
from clickbpf.args.error import ArgError
from clickbpf.args.types.base import Type
from clickbpf.frozen import frozen
from clickbpf.lang.config import split_words_at


@frozen
class ListOf(Type):
    """Words of one type, separated by spaces; value tuple."""

    of: Type
    least: int = 0

    def parse(self, text: str, context: Context = NOWHERE) -> tuple:
        words = split_words_at(text)
        if len(words) < self.least:
            raise ArgError(f"expected {self.describe()}")
        return tuple(self._word(word, offset, context) for word, offset in words)

    def _word(self, word: str, offset: int, context: Context) -> Any:
        try:
            return self.of.parse(word, context)
        except ArgError as error:
            raise ArgError(error.message, error.hint, offset=offset + error.offset) from None

    def unparse(self, value: tuple) -> str:
        return " ".join(map(self.of.unparse, value))

    def describe(self) -> str:
        return f"a list of items that are each {self.of.describe()}"


@frozen
class OneOf(Type):
    """The first of several types that accepts the text. C sees the value only if all of them have the same C type."""

    types: tuple[Type, ...]

    def __init__(self, *types: Type):
        object.__setattr__(self, "types", types)

    @property
    def c_type(self) -> str | None:  # type: ignore[override]
        kinds = {type_.c_type for type_ in self.types}
        return kinds.pop() if len(kinds) == 1 else None

    def parse(self, text: str, context: Context = NOWHERE) -> Any:
        for type_ in self.types:
            try:
                return type_.parse(text, context)
            except ArgError:
                continue
        raise self.wrong(text)

    def c_value(self, value: Any) -> str | None:
        return self.types[0].c_value(value) if self.c_type else None

    def describe(self) -> str:
        return " or ".join(type_.describe() for type_ in self.types)
