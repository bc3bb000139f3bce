from clickbpf.declare import (
    ALL, BEARS_OFFLOADS, FRAME, GIVES_TO_HOST, GIVES_TO_SNIFFERS, PUSH, USER, AlignmentRule, Bool, DeviceName, Enum, HostEnd, Keyword, Look,
    Optional, PerThread, read_handler, sum_handler, u64,
)

from ._device import COMING_AND_GOING, refuse_coming_and_going


class ToHost(HostEnd, ports="1/0", processing=PUSH[0], traits=BEARS_OFFLOADS | GIVES_TO_HOST):
    """sends packets to Linux

    Gives packets to this machine's Linux stack, as received on DEVNAME, by default the device that they came from. Send it packets
    for this host (including broadcasts) and a copy of each ARP reply. Linux derives the packet type from the Ethernet destination,
    so that is set to match the packet type annotation: for HOST to the device's own address, for BROADCAST and MULTICAST to such an
    address. So `EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2) -> ToHost` works as in Click. On a device created by FromHost,
    addresses stay as they are.

    Example: FromDevice(eth0) -> Tee -> ToHost;
    """

    aliases = ("ToLinux",)
    alignment = AlignmentRule((FRAME,))
    args = (
        Optional("DEVNAME", DeviceName(), text="The device on which Linux receives the packets: an existing one, or one created by a "
            "FromHost of this router. Without it, packets from a FromHost go back to its device, and packets from no device, such as "
            "generated packets, are dropped"),
        Keyword("TYPE", Enum(ETHER=0, IP=1), 0, "ETHER or IP: whether packets have Ethernet headers"),
        Keyword("SNIFFERS", Bool(), False, "true to show packets to sniffers only, as ToHostSniffers does"),
        Keyword("QUIET", Bool(), False, "Accepted, but has no effect"),
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
