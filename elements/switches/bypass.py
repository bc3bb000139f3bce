from clickbpf.declare import Bool, Element, Keyword, Optional


class Bypass(Element, ports="1-2/1-2", flow="xy/[xy]x"):
    """sends packets a longer way while it is active

    Packets go from input 0 to output 0. While it is active, pushed packets go to output 1 instead, and packets that are
    pulled from output 0 come from input 1 instead of input 0. What comes back by input 1 leaves by output 0, and a pull
    from output 1 takes from input 0. On a pull path the longer way has to come from elsewhere, though: pulls that would go
    from its input 1 round to its output 1 are refused as a cycle.

    Ports: one input and one output, and each may have a second one: on a push path output 1 begins the longer way, and
    input 1, if it is there, ends it; on a pull path it comes by input 1.

    Example: `debug.active true` prints what passes:

        FromDevice(eth0) -> debug :: Bypass -> Queue -> ToDevice(eth1);
        debug[1] -> Print -> [1]debug;
    """

    args = (
        Optional("ACTIVE", Bool(), False, "whether packets take the longer way at first", setting="vars", then="notify"),
        Keyword("INLINE", Bool(), False, "accepted because of Click, where it says how a Bypass works inside"),
    )

    def configure(self) -> None:
        # Of no use, and C has the word for itself.
        self.cfg.inline = None
