from clickbpf.declare import CONTROL, Element


class SATable(Element, ports="0/0", runs=CONTROL):
    """accepted in place of a table of IPsec security associations

    In Click, this is the class of the table within each RadixIPsecLookup; as an element it has no associations. Here RadixIPsecLookup
    holds its associations itself, and the element has no effect.

    Example:

        SATable;
        FromDevice(eth0) -> Discard;
    """
