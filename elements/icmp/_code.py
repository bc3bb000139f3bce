"""The argument CODE of a class whose argument TYPE determines the names of codes."""

from clickbpf.declare import ArgError, Element, ICMPCode


def parse_code(element: Element) -> int:
    """The code that the word `cfg.code` means for messages of type `cfg.type`; ArgError if it doesn't mean any."""
    try:
        return ICMPCode(element.cfg.type).parse(element.cfg.code, element.context)
    except ArgError as error:
        raise ArgError(error.message, error.hint, argument="CODE") from None
