from clickbpf.declare import BEARS_OFFLOADS, ArgError, Reconfigurable, Required, Word

#: In the order of Linux's PACKET_ numbers.
TYPES = ("HOST", "BROADCAST", "MULTICAST", "OTHERHOST", "OUTGOING", "LOOPBACK")


class SetPacketType(Reconfigurable, traits=BEARS_OFFLOADS):
    """sets packets' type annotation

    The type says how a packet was addressed on its link; a packet from a device has the type that Linux would give it.
    DropBroadcasts and other elements use it, and so does Linux for packets passed to it.

    Example: packets that a bridge overheard are taken in:

        FromDevice(eth0) -> SetPacketType(HOST) -> ToHost(eth0);
    """

    args = (
        Required("TYPE", Word(), "HOST (sent to this machine), BROADCAST, MULTICAST, OTHERHOST (sent to another machine), OUTGOING or "
            "LOOPBACK; case doesn't matter"),
    )
    derived = {"type": ("__u8", lambda self: TYPES.index(self.cfg.type.upper()))}

    def configure(self) -> None:
        if self.cfg.type.upper() not in TYPES:
            raise ArgError(f"unrecognized packet type '{self.cfg.type}'", f"expected {', '.join(TYPES)}", argument="TYPE")
