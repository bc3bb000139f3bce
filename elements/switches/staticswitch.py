from clickbpf.declare import BEARS_OFFLOADS, PUSH, FixedPath, Integer, Required


class StaticSwitch(FixedPath, ports="1/-", processing=PUSH, traits=BEARS_OFFLOADS):
    """sends all packets to one of its outputs

    A Switch that can't be changed while the router runs, and so costs nothing.

    Example: a debugging branch that a variable of the configuration switches on (`DEBUG=1`):

        define($DEBUG 0);
        FromDevice(eth0) -> s :: StaticSwitch($DEBUG);
        s[0] -> out :: Queue -> ToDevice(eth1);
        s[1] -> Print -> out;
    """

    same_form = True
    args = (
        Required("OUTPUT", Integer(signed=True), "the packets' output; if there is no such output, or OUTPUT is negative, packets are "
            "dropped"),
    )

    def only_way(self) -> tuple[int, int]:
        return 0, self.cfg.output
