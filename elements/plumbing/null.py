from clickbpf.declare import BEARS_OFFLOADS, DOES_NOTHING, PASSES, Element


class Null(Element, traits=BEARS_OFFLOADS | PASSES | DOES_NOTHING):
    """passes packets unchanged

    A named place in the graph: a configuration can declare `in :: Null;` first and connect it later. It costs nothing.

    Example:

        in :: Null;
        FromDevice(eth0) -> in;
        in -> Discard;
    """

    aliases = ("Null1", "Null2", "Null3", "Null4", "Null5", "Null6", "Null7", "Null8")
