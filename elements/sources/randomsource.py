from clickbpf.declare import Bool, Element, Handler, HandlerCall, Integer, Keyword, Optional, Required, value_handlers

from ._source import LIMIT
from .infinitesource import InfiniteSource

#: The lengths of an IP packet.
BYTES = Integer(32, high=65535)


class RandomSource(InfiniteSource):
    """generates packets of random bytes whenever scheduled

    Like InfiniteSource, but the packets' contents are random: they come from the kernel, or from RandomSeed.

    Example: RandomSource(64, LIMIT 1000, STOP true) -> EtherEncap(0x0800, 2:2:2:2:2:2, 3:3:3:3:3:3) -> Queue -> ToDevice(eth0);
    """

    args = (
        Required("LENGTH", BYTES, "bytes of each packet, at most 65535"),
        Optional("LIMIT", LIMIT, -1, "packets to make, for ever if negative"),
        Optional("BURST", Integer(32, signed=True), 1, "packets to push each time it is scheduled"),
        Optional("ACTIVE", Bool(), True, "false to make none"),
        Keyword("TIMESTAMP", Bool(), True, "whether to set the packets' timestamp to the current time"),
        Keyword("STOP", Bool(), False, "whether to stop the driver once LIMIT packets are made"),
        Keyword("END_CALL", HandlerCall(), text="a write handler called once LIMIT packets are made; not with STOP"),
    )

    def configure(self) -> None:
        self.cfg.data, self.cfg.datasize = b"", -1
        super().configure()

    @classmethod
    def handlers(cls) -> dict[str, Handler]:
        """The handlers of InfiniteSource without those for data."""
        return {name: handler for name, handler in Element.handlers.__func__(cls).items() if name != "data"}

    def _set_packet(self) -> None:
        self.state.source.length = self._length

    length = value_handlers(BYTES, lambda self: self._length, InfiniteSource._set_length)
