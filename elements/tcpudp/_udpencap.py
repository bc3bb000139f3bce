"""The base of UDPIPEncap and DynamicUDPIPEncap."""

from clickbpf.declare import ANEW, KEPT, SAME, Bool, Held, IPPort, Optional, Required, Type, Vars, u16

from ..ip._encap import ADDRESSED, Encap

PORT = IPPort(17)

CHECKSUM = Optional("CHECKSUM", Bool(), True, "whether to compute the UDP checksum; otherwise it is 0")

#: The common text of both manual pages.
MANUAL = """{summary}

    The IP header has no options, a TTL of 250, and an identification that counts up from 0. It becomes the network
    header, the UDP header the transport header, and DST the destination address annotation. With CHECKSUM, packets of more than
    4087 bytes are left to the runtime.

    Example:

        FromDevice(eth0) -> Strip(14) -> {name}(1.0.0.1, 1234, 2.0.0.2, 1234)
            -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """


def arguments(destination: Type, more: str = "") -> tuple:
    """The arguments of both classes."""
    return (
        Required("SRC", Encap.destination, "source address and port (a number or a name)"),
        Required("SPORT", PORT, SAME),
        Required("DST", destination, f"destination address and port{more}"),
        Required("DPORT", PORT, SAME),
        CHECKSUM,
    )


class UDPEncap(Encap):
    """Base of both."""

    state_types = {"vars": Vars(**ADDRESSED, sport=u16, dport=u16)}
    holds = (Held("the next identification", ANEW, KEPT),)
    weight = 350

    def initialise(self) -> None:
        super().initialise()
        self.state.vars.sport, self.state.vars.dport = self.cfg.sport, self.cfg.dport
