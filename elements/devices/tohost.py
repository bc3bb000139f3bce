from clickbpf.declare import (
    ALL, BEARS_OFFLOADS, FRAME, GIVES_TO_HOST, GIVES_TO_SNIFFERS, PUSH, USER, AlignmentRule, Bool, DeviceName, Enum, HostEnd, Keyword, Look,
    Optional, PerThread, read_handler, sum_handler, u64,
)

from ._device import COMING_AND_GOING, refuse_coming_and_going


class ToHost(HostEnd, ports="1/0", processing=PUSH[0], traits=BEARS_OFFLOADS | GIVES_TO_HOST):
    """sends packets to Linux

    Hands packets to this machine's ordinary Linux stack, as received on DEVNAME, or else on the device that they came
    from. Give it packets for this host (broadcasts included) and a copy of each ARP reply. Packets that have the type
    HOST get the device's own Ethernet destination address, those of type BROADCAST that of a broadcast, and those of type
    MULTICAST a group's, for Linux knows the types by the addresses: `EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2) -> ToHost`
    works as in Click. On a device that a FromHost makes the addresses count as they are.

    Example:

        FromDevice(eth0) -> Tee -> ToHost;
    """

    aliases = ("ToLinux",)
    alignment = AlignmentRule((FRAME,))
    args = (
        Optional("DEVNAME", DeviceName(), text="The device on which Linux is to receive them; one that a FromHost of this router makes, or "
            "one that exists. Packets from a device of which Linux has the other end (FromHost) go there without it; packets that came "
            "from no device, such as generated packets, are dropped without it"),
        Keyword("TYPE", Enum(ETHER=0, IP=1), 0, "ETHER or IP: whether packets have Ethernet headers"),
        Keyword("SNIFFERS", Bool(), False, "true to show packets to sniffers only, as ToHostSniffers does"),
        Keyword("QUIET", Bool(), False, "Accepted, of no effect"),
        *COMING_AND_GOING,
    )
    state_types = {"counters": PerThread(count=u64, drops=u64)}

    def configure(self) -> None:
        refuse_coming_and_going(self.cfg)
        if self.cfg.sniffers:
            self.runs = USER
            self.traits |= GIVES_TO_SNIFFERS

    def shown(self) -> Look | None:
        return Look(data=ALL) if self.cfg.sniffers else None

    def host_device(self) -> str | None:
        return self.cfg.devname

    count = sum_handler("counters", text="packets")
    dev_name = read_handler(lambda self: self.cfg.devname or "", text="DEVNAME")
    drops = sum_handler("counters", text="packets without a device")
