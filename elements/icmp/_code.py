"""The argument CODE of a class whose TYPE says which names there are for codes."""

from __future__ import annotations

from clickbpf.args import ArgError, ICMPCode
from clickbpf.vocabulary.element import Element


def parse_code(element: Element) -> int:
    """The code that `cfg.code`, a word, means for messages of type `cfg.type`; ArgError if none."""
    try:
        return ICMPCode(element.cfg.type).parse(element.cfg.code, element.context)
    except ArgError as error:
        raise ArgError(error.message, error.hint, argument="CODE") from None
