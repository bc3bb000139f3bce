from __future__ import annotations

from clickbpf.vocabulary.element import CONTROL, Element


class SATable(Element):
    """accepted in place of a table of IPsec security associations

    Synopsis: `SATable`

    In Click it is the class of the table within each RadixIPsecLookup; as an element it has no associations, and nothing can be
    asked of it. Here RadixIPsecLookup keeps its associations itself, and the element has no effect.

    Ports: none.

    Example:

        SATable;
        FromDevice(eth0) -> Discard;
    """

    ports = "0/0"
    runs = CONTROL
