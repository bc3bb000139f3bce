from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import ArgError, Required, Word
from clickbpf.vocabulary.element import Element

#: In the order of Linux's PACKET_ numbers.
TYPES = ("HOST", "BROADCAST", "MULTICAST", "OTHERHOST", "OUTGOING", "LOOPBACK")


class SetPacketType(Element):
    """sets packets' type annotation

    Synopsis: `SetPacketType(TYPE)`

    The type says how a packet was addressed on its link; a packet from a device has the one that Linux would give it.
    DropBroadcasts and others use it, and so does Linux for packets passed to it.

    Arguments:

      - TYPE: HOST (sent to this machine), BROADCAST, MULTICAST, OTHERHOST (sent to another one), OUTGOING or LOOPBACK; in
        any case.

    Ports: one input, one output.

    Example: packets that a bridge overheard are taken in:

        FromDevice(eth0) -> SetPacketType(HOST) -> ToHost(eth0);
    """

    bears_offloads = True
    reconfigurable = True
    args = (Required("TYPE", Word()),)
    weight = 5

    def configure(self) -> None:
        if self.cfg.type.upper() not in TYPES:
            raise ArgError(f"unrecognized packet type '{self.cfg.type}'", f"expected {', '.join(TYPES)}", argument="TYPE")

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {"type": ("__u8", str(TYPES.index(self.cfg.type.upper())))}
