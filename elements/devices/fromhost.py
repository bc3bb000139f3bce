"""FromHost: where packets that this machine's own Linux stack sends enter the router."""

from __future__ import annotations

from clickbpf.args import Bool, Enum, EtherAddress, Integer, IPAddress, IPPrefix, Keyword, Optional, Required, String
from clickbpf.args.error import ArgError
from clickbpf.element import Element, read_handler, write_handler
from clickbpf.state import PerThread, u64


class FromHost(Element):
    """reads packets from Linux

    Synopsis: `FromHost(DEVNAME [, KEYWORD ...])`

    Takes the packets that Linux sends out of DEVNAME, before they reach the device, and pushes them out of output 0.

    Arguments:

      - DEVNAME: The device. It exists: unlike Click's element this one makes none.
      - TYPE: ETHER or IP. With IP, Ethernet headers are removed, and the network header and destination address
        annotations set; other packets leave by output 1 or are dropped. Default is ETHER.
      - CAPACITY, BURST, HEADROOM, CLEAR_ANNO: Accepted, of no effect.

    Handlers: `count`, packets received; `reset_counts`.

    Example:

        FromHost(eth0) -> Queue -> ToDevice(eth0);
    """

    ports = "0/1-2"
    processing = "h"
    args = (
        Required("DEVNAME", String()),
        Optional("PREFIX", IPPrefix()),
        Keyword("DST", IPPrefix()),
        Keyword("TYPE", Enum(ETHER=0, IP=1), 0),
        Keyword("ETHER", EtherAddress()),
        Keyword("GATEWAY", IPAddress()),
        Keyword("MTU", Integer(32)),
        Keyword("CAPACITY", Integer(32)),
        Keyword("BURST", Integer(32, low=1)),
        Keyword("HEADROOM", Integer(32)),
        Keyword("CLEAR_ANNO", Bool(), True),
    )
    annotations = ("DST_IP",)
    state_types = {"counters": PerThread(count=u64)}
    weight = 40

    def configure(self) -> None:
        for name in ("PREFIX", "DST", "ETHER", "GATEWAY", "MTU"):
            if getattr(self.cfg, name.lower()) is not None:
                raise ArgError(
                    "FromHost makes no device and sets no addresses",
                    f"set up {self.cfg.devname} with `ip link` and `ip address`",
                    argument=name,
                )

    def receives_from_host(self) -> str | None:
        return self.cfg.devname

    @read_handler
    def count(self) -> str:
        return str(self.state.counters.sum("count"))

    @write_handler
    def reset_counts(self, text: str) -> None:
        self.state.counters.clear()
