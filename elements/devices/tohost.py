from __future__ import annotations

from clickbpf.args import Bool, DeviceName, Enum, Keyword, Optional
from clickbpf.vocabulary.alignment import FRAME, AlignmentRule
from clickbpf.vocabulary.element import PUSH, USER, Element, read_handler, sum_handler
from clickbpf.vocabulary.looks import ALL, Look
from clickbpf.vocabulary.state import PerThread, u64

from ._device import COMING_AND_GOING, refuse_coming_and_going


class ToHost(Element):
    """sends packets to Linux

    Synopsis: `ToHost([DEVNAME, KEYWORD ...])`

    Hands packets to this machine's ordinary Linux stack, as received on DEVNAME, or else on the device that they came
    from. Give it packets for this host (broadcasts included) and a copy of each ARP reply. Packets that have the type
    HOST get the device's own Ethernet destination address, and those of type BROADCAST that of a broadcast, for Linux
    takes no others: `EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2) -> ToHost` works as in Click. On a device that a
    FromHost makes the addresses count as they are.

    Arguments:

      - DEVNAME: The device on which Linux is to receive them; one that a FromHost of this router makes, or one that
        exists. Packets from a device of which Linux has the other end (FromHost) go there without it; packets that came
        from no device, such as generated packets, are dropped without it.
      - TYPE: ETHER or IP: whether packets have Ethernet headers. Default is ETHER.
      - SNIFFERS: true to show packets to sniffers only, as ToHostSniffers does. Default is false.
      - QUIET: Accepted, of no effect.

    Handlers: `count`; `drops`, packets without a device; `dev_name`, DEVNAME.

    Example:

        FromDevice(eth0) -> Tee -> ToHost;
    """

    bears_offloads = True
    aliases = ("ToLinux",)
    alignment = AlignmentRule((FRAME,))
    ports = "1/0"
    processing = PUSH[0]
    gives_to_host = True
    args = (
        Optional("DEVNAME", DeviceName()),
        Keyword("TYPE", Enum(ETHER=0, IP=1), 0),
        Keyword("SNIFFERS", Bool(), False),
        Keyword("QUIET", Bool(), False),
        *COMING_AND_GOING,
    )
    state_types = {"counters": PerThread(count=u64, drops=u64)}
    weight = 30

    def configure(self) -> None:
        refuse_coming_and_going(self.cfg)
        if self.cfg.sniffers:
            self.runs, self.gives_to_sniffers = USER, True

    def shown(self) -> Look | None:
        return Look(data=ALL) if self.cfg.sniffers else None

    def host_device(self) -> str | None:
        return self.cfg.devname

    count = sum_handler("counters")

    @read_handler
    def dev_name(self) -> str:
        return self.cfg.devname or ""

    drops = sum_handler("counters")
