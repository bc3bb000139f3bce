from clickbpf.declare import CONTROL, Element


class SATable(Element, ports="0/0", runs=CONTROL):
    """accepted in place of a table of IPsec security associations

    In Click it is the class of the table within each RadixIPsecLookup; as an element it has no associations, and nothing can be
    asked of it. Here RadixIPsecLookup keeps its associations itself, and the element has no effect.

    Example:

        SATable;
        FromDevice(eth0) -> Discard;
    """
