"""The argument CODE of classes whose argument TYPE determines the names of codes."""

from clickbpf.declare import ArgError, Element, ICMPCode


def parse_code(element: Element) -> int:
    """The code for the word `cfg.code` in messages of type `cfg.type`; ArgError if there is none."""
    try:
        return ICMPCode(element.cfg.type).parse(element.cfg.code, element.context)
    except ArgError as error:
        raise ArgError(error.message, error.hint, argument="CODE") from None
