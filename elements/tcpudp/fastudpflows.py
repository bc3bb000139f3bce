from __future__ import annotations

from clickbpf.args import Bool, Integer, Keyword, Optional, Raw
from clickbpf.vocabulary.element import AGNOSTIC, sum_handler, write_handler

from ._fast import AMOUNT, DESTINATION, FLOWS, SOURCE, FastSource

#: Only STOP has an effect.
OF_FASTCLICK = (Keyword("STOP", Bool(), False), *(Keyword(name, Raw()) for name in ("SEQUENTIAL", "DUPLICATE", "BURST", "FLOWBURST")))


class FastUDPFlows(FastSource):
    """generates UDP packets of many flows, for benchmarks

    Synopsis: `FastUDPFlows(RATE, LIMIT, LENGTH, SRCETH, SRCIP, DSTETH, DSTIP, FLOWS, FLOWSIZE, [CHECKSUM, ACTIVE, STOP ...])`

    Each packet is of one of FLOWS flows, chosen at random, which differ in their ports. After FLOWSIZE packets a flow takes
    other ports. Otherwise packets are those of FastUDPSource.

    Arguments:

      - RATE: packets per second; 0 for as many as are pulled.
      - LIMIT: packets to make; for ever if negative.
      - LENGTH: bytes of a frame, 60 at least.
      - SRCETH, SRCIP, DSTETH, DSTIP: the addresses that they come from and go to.
      - FLOWS: flows at a time.
      - FLOWSIZE: packets in a flow.
      - CHECKSUM: false to send them without UDP checksum. Default true.
      - ACTIVE: false to make none. Default true.
      - STOP: whether to stop the driver after LIMIT packets. Default false. An argument of FastClick.
      - SEQUENTIAL, DUPLICATE, BURST, FLOWBURST: arguments of FastClick. Accepted, of no effect.

    Ports: one output. Packets are pulled, or pushed as fast as RATE allows.

    Handlers: `count`, `rate`, `limit`, `active` and `reset`, as FastUDPSource's; `length` (read, write): LENGTH.

    Example:

        FastUDPFlows(100000, 500000, 60, 2:2:2:2:2:2, 1.0.0.1, 3:3:3:3:3:3, 2.0.0.2, 100, 10) -> ToDevice(eth0);
    """

    processing = AGNOSTIC
    entries = (*FastSource.entries, "cleanup")
    args = (*AMOUNT, *SOURCE, *DESTINATION, *FLOWS, Optional("CHECKSUM", Bool(), True), Optional("ACTIVE", Bool(), True), *OF_FASTCLICK)

    length = sum_handler("fast")

    @write_handler("length")
    def write_length(self, text: str) -> None:
        self._set_length(Integer(32).parse(text.strip()))
