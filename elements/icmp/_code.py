"""The argument CODE of a class whose argument TYPE determines the names of codes."""

from __future__ import annotations

from clickbpf.args import ArgError, ICMPCode
from clickbpf.vocabulary.element import Element


def parse_code(element: Element) -> int:
    """The code that the word `cfg.code` means for messages of type `cfg.type`; ArgError if it doesn't mean any."""
    try:
        return ICMPCode(element.cfg.type).parse(element.cfg.code, element.context)
    except ArgError as error:
        raise ArgError(error.message, error.hint, argument="CODE") from None
