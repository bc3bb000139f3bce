from __future__ import annotations

from clickbpf.vocabulary.element import PASSES, Element


class Null(Element):
    """passes packets unchanged

    Synopsis: `Null`

    A named place in the graph: a configuration can declare `in :: Null;` first and connect it later. It costs nothing.

    Ports: one input, one output.

    Example:

        in :: Null;
        FromDevice(eth0) -> in;
        in -> Discard;
    """

    bears_offloads = True
    aliases = ("Null1", "Null2", "Null3", "Null4", "Null5", "Null6", "Null7", "Null8")
    does_nothing = True
    looks = PASSES
    weight = 1
