from clickbpf.declare import BEARS_OFFLOADS, ONLY_COPIES, PUSH, Copies, Element


class Hub(Element, ports="-/=", processing=PUSH, flow="#/[^#]", traits=BEARS_OFFLOADS | ONLY_COPIES):
    """sends copies of each packet to all outputs except the one with its input's number

    Acts as an Ethernet hub, for packets of any kind. Lower outputs get their copies first. The kernel path makes the copies under
    the conditions of Tee.

    Example: three segments of one Ethernet:

        hub :: Hub;
        FromDevice(eth0) -> hub -> Queue -> ToDevice(eth0);
        FromDevice(eth1) -> [1]hub[1] -> Queue -> ToDevice(eth1);
        FromDevice(eth2) -> [2]hub[2] -> Queue -> ToDevice(eth2);
    """

    def copies(self) -> Copies:
        """For each input, all outputs but its own."""
        return [[port for port in range(self.noutputs) if port != own] for own in range(self.ninputs)]
