"""Where an Ethernet address is in a packet: an offset, or `src` and `dst` in an Ethernet header."""

from clickbpf.declare import ArgError, Integer

IN_HEADER = {"dst": 0, "src": 6}
OFFSET = Integer(31)


def ether_offset(text: str) -> int:
    """The offset, from the packet's start, of the address named by the argument OFFSET."""
    if text.lower() in IN_HEADER:
        return IN_HEADER[text.lower()]
    try:
        return OFFSET.parse(text)
    except ArgError:
        raise ArgError("type mismatch: bad OFFSET", "expected an integer, src or dst", argument="OFFSET") from None
