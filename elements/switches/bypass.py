from clickbpf.declare import Bool, Element, Keyword, Optional


class Bypass(Element, ports="1-2/1-2", flow="xy/[xy]x"):
    """sends packets a longer way while it is active

    Packets go from input 0 to output 0. While the element is active, pushed packets go to output 1 instead, and pulls from output 0
    go to input 1 instead of input 0. Packets pushed at input 1 leave by output 0, and pulls from output 1 go to input 0. On a pull
    path, however, input 1 must be fed from elsewhere: a path back to output 1 is refused as a cycle.

    Ports: one input and one output, each with an optional second one. On a push path, the longer path begins at output 1, and may
    end at input 1; on a pull path, it ends at input 1.

    Example: `debug.active true` prints what passes:

        FromDevice(eth0) -> debug :: Bypass -> Queue -> ToDevice(eth1);
        debug[1] -> Print -> [1]debug;
    """

    args = (
        Optional("ACTIVE", Bool(), False, "whether packets take the longer path at first", setting="vars", then="notify"),
        Keyword("INLINE", Bool(), False, "accepted, of no effect; in Click it selects an implementation"),
    )

    def configure(self) -> None:
        # Unused, and a keyword in C.
        self.cfg.inline = None
