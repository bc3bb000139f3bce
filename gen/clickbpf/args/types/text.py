"""Texts: words, quoted strings, file names, data, sets of keywords, and text kept as it is."""

import os
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clickbpf.args.context import NOWHERE, Context
from clickbpf.args.error import ArgError
from clickbpf.args.types.base import Type, quoted
from clickbpf.lang.config import quote, split_words, unquote, unquote_bytes
from clickbpf.lang.variables import first_variable
from clickbpf.nearest import did_you_mean

_WORD = re.compile(r"[!-~]+")
_NOT_IN_WORDS = re.compile(r"[\"'\\,]")


class Raw(Type):
    """Any text, its quotes kept; value str."""

    described = "any text"

    def parse(self, text: str, context: Context = NOWHERE) -> str:
        return text


class String(Type):
    """A string, quoted if it has spaces or commas; value str without the quotes."""

    described = "a string"

    def parse(self, text: str, context: Context = NOWHERE) -> str:
        return unquote(self.single(text))

    def single(self, text: str) -> str:
        """The text if it is one word, quotes counted."""
        if len(split_words(text)) != 1:
            data = text.startswith(("<", "\\<"))
            hint = "bytes are written as \\<48 65 6c>, two hexadecimal digits each" if data else "put it in double quotes"
            raise ArgError(f"{quoted(text)} is not {self.describe()}", hint)
        return text

    def unparse(self, value: str) -> str:
        return quote(value)


class Bytes(String):
    """Data: a string whose bytes count, as in \\<48 65 6c 6c 6f>; value bytes."""

    described = "data (a string)"

    def parse(self, text: str, context: Context = NOWHERE) -> bytes:
        return unquote_bytes(self.single(text))

    def unparse(self, value: bytes) -> str:
        return quote(value)


class Word(String):
    """A string of visible ASCII without quotes, backslashes, commas; value str."""

    described = "a word"

    def parse(self, text: str, context: Context = NOWHERE) -> str:
        word = super().parse(text, context)
        if not _WORD.fullmatch(word) or _NOT_IN_WORDS.search(word):
            raise self.wrong(text)
        return word

    def unparse(self, value: str) -> str:
        return value


class DeviceName(String):
    """The name of a network device, here or in the configuration alone, without spaces; value str."""

    described = "the name of a device"

    def proposals(self) -> list[str]:
        return sorted(name for _, name in socket.if_nameindex())

    def parse(self, text: str, context: Context = NOWHERE) -> str:
        name = super().parse(_without_variables(self, text), context)
        if any(character.isspace() for character in name):
            raise ArgError(f"'{name}' can't be the name of a device", "such names have no spaces")
        return name


class Filename(String):
    """A file name; ~ and ~USER at its start are home directories; value str."""

    described = "a file name"

    def parse(self, text: str, context: Context = NOWHERE) -> str:
        name = super().parse(_without_variables(self, text), context)
        if not name:
            raise ArgError("the file name is empty")
        return re.sub("//+", "/", os.path.expanduser(name))


def _without_variables(wanted: Type, text: str) -> str:
    """The text; a variable without a value in it is a mistake, since the file would be named after the variable."""
    if first_variable(text) is not None:
        raise wanted.wrong(text)
    return text


@dataclass(frozen=True, init=False)
class Enum(Type):
    """One of a set of keywords, quoted or not.

    `Enum("HEAD", "TAIL")` gives the keyword (a str, in C its number in the list), `Enum(HEAD=0, TAIL=7)` the value that
    stands for it (an int, the same in C).
    """

    values: Mapping[str, Any]
    c_type = "__u32"

    def __init__(self, *keywords: str, **values: int):
        object.__setattr__(self, "values", {**{keyword: keyword for keyword in keywords}, **values})

    def parse(self, text: str, context: Context = NOWHERE) -> Any:
        word = unquote(text)
        if word not in self.values:
            raise self.wrong(text, hint=did_you_mean(word.upper(), self.values))
        return self.values[word]

    def proposals(self) -> Mapping[str, Any]:
        return self.values

    def c_value(self, value: Any) -> str:
        return str(list(self.values).index(value) if isinstance(value, str) else value)

    def unparse(self, value: Any) -> str:
        return next(keyword for keyword, meant in self.values.items() if meant == value)

    def describe(self) -> str:
        *most, last = self.values
        return f"{', '.join(most)} or {last}" if most else last
