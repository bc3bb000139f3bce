from __future__ import annotations

from clickbpf.args import Bool, HandlerCall, Integer, Keyword, Optional, Required
from clickbpf.vocabulary.element import Element, Handler, write_handler

from ._source import LIMIT
from .infinitesource import InfiniteSource

#: What an IP packet may have.
BYTES = Integer(32, high=65535)


class RandomSource(InfiniteSource):
    """generates packets of random bytes whenever scheduled

    Synopsis: `RandomSource(LENGTH, [LIMIT, BURST, ACTIVE, KEYWORD ...])`

    Like InfiniteSource, but the packets' contents are random: they come from the kernel, or from RandomSeed.

    Arguments:

      - LENGTH: bytes of each packet, at most 65535.
      - LIMIT: packets to make, for ever if negative. Default -1.
      - BURST: packets to push each time it is scheduled. Default 1.
      - ACTIVE: false to make none. Default true.
      - STOP: whether to stop the driver once LIMIT packets are made. Default false.
      - END_CALL: a write handler called once LIMIT packets are made; not with STOP.
      - TIMESTAMP: whether to set the packets' timestamp to the current time. Default true.

    Ports: one output, push or pull.

    Handlers:

      - `count` (read): packets made.
      - `reset` (write): sets `count` to 0, after which LIMIT more are made.
      - `length`, `limit`, `burst`, `active` (read, write): the arguments.

    Example:

        RandomSource(64, LIMIT 1000, STOP true) -> EtherEncap(0x0800, 2:2:2:2:2:2, 3:3:3:3:3:3) -> Queue -> ToDevice(eth0);
    """

    args = (
        Required("LENGTH", BYTES),
        Optional("LIMIT", LIMIT, -1),
        Optional("BURST", Integer(32, signed=True), 1),
        Optional("ACTIVE", Bool(), True),
        Keyword("TIMESTAMP", Bool(), True),
        Keyword("STOP", Bool(), False),
        Keyword("END_CALL", HandlerCall()),
    )

    def configure(self) -> None:
        self.cfg.data, self.cfg.datasize = b"", -1
        super().configure()

    @classmethod
    def handlers(cls) -> dict[str, Handler]:
        """Its packets have no data that could be shown."""
        return {name: handler for name, handler in Element.handlers.__func__(cls).items() if name != "data"}

    def _set_packet(self) -> None:
        self.state.source.length = self._length

    @write_handler("length")
    def write_length(self, text: str) -> None:
        self._length = BYTES.parse(text.strip())
        self._set_packet()
        self.changed()
