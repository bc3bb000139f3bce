from clickbpf.declare import (
    BEARS_OFFLOADS, FRAME, SAME, AlignmentRule, ArgError, Bool, DeviceMaker, DeviceName, Enum, EtherAddress, IPAddress, IPPrefix, Integer,
    Keyword, Optional, Required,
)
from clickbpf.objects.made import MadeDevice

from ._device import CountedDevice

#: The longest name of a device: IFNAMSIZ without the final 0.
LONGEST_NAME = 15
#: The smallest MTU for IPv4 (RFC 791), and the largest; loading reports whether native XDP supports it.
SMALLEST_MTU, LARGEST_MTU = 68, 65535


class FromHost(DeviceMaker, CountedDevice, ports="0/1-2", processing="h", traits=BEARS_OFFLOADS):
    """creates a network device for Linux, and reads the packets that Linux sends there

    Creates the virtual Ethernet device DEVNAME when the router is loaded, and removes it with the router. Packets that Linux sends
    there are pushed to output 0; ToHost(DEVNAME) sends packets back. It is a veth pair, whose other end, with the router's XDP
    program, is private to the router.

    Linux sends ARP requests there, and sends no IP packets until they are answered; any Ethernet address will do.

    Arguments:

      - PREFIX (or DST): Linux's address on the device, and the prefix to route there. Default is none.

    Example:

        FromHost(fake0, 192.0.2.1/24, ETHER 2:2:2:2:2:2) -> c :: Classifier(12/0806, 12/0800);
        c[0] -> ARPResponder(0/0 1:1:1:1:1:1) -> ToHost(fake0);
        c[1] -> Strip(14) -> CheckIPHeader -> ICMPPingResponder -> EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2)
             -> ToHost(fake0);
    """

    aliases = ("FromLinux",)
    alignment = AlignmentRule(gives=FRAME)
    args = (
        Required("DEVNAME", DeviceName(), "The device's name, at most 15 characters; no such device may exist"),
        Optional("PREFIX", IPPrefix(bare=False)),
        Keyword("DST", IPPrefix(bare=False)),
        Keyword("TYPE", Enum(ETHER=0, IP=1), 0, "ETHER or IP. With IP, Linux sends no ARP requests; Ethernet headers are removed, and the "
            "network header and destination address annotations set; packets that aren't valid IP leave by output 1 or are dropped"),
        Keyword("ETHER", EtherAddress(), text="Linux's Ethernet address on the device. Default is one that the kernel chooses"),
        Keyword("GATEWAY", IPAddress(), text="IP address within PREFIX; Linux gets a default route through it. Default is none"),
        Keyword("MTU", Integer(32, low=SMALLEST_MTU, high=LARGEST_MTU), 1500, "Bytes of the longest IP packet"),
        Keyword("CAPACITY", Integer(32), text="Accepted, but has no effect"),
        Keyword("BURST", Integer(32, low=1), text=SAME),
        Keyword("HEADROOM", Integer(32), text=SAME),
        Keyword("CLEAR_ANNO", Bool(), True, SAME),
    )
    annotations = ("DST_IP",)

    def configure(self) -> None:
        cfg = self.cfg
        if not 0 < len(cfg.devname) <= LONGEST_NAME or set(cfg.devname) & set("/: \t\n") or cfg.devname in (".", ".."):
            raise ArgError(f"'{cfg.devname}' can't be the name of a device", f"1 to {LONGEST_NAME} letters and digits", argument="DEVNAME")
        if cfg.prefix is not None and cfg.dst is not None:
            raise ArgError("PREFIX and DST are one argument", argument="DST")
        cfg.prefix = cfg.dst if cfg.prefix is None else cfg.prefix
        if cfg.gateway is not None and (cfg.prefix is None or cfg.gateway not in cfg.prefix):
            raise ArgError(f"{cfg.gateway} is not within PREFIX", argument="GATEWAY")
        if cfg.ether is not None and (cfg.ether[0] & 1 or not any(cfg.ether)):
            raise ArgError(f"{cfg.ether} can't be a device's own address", argument="ETHER")

    def receives_from(self) -> str | None:
        return self.cfg.devname

    def makes(self) -> MadeDevice:
        cfg = self.cfg
        return MadeDevice(
            device=cfg.devname,
            element=self.name,
            address=None if cfg.prefix is None else str(cfg.prefix),
            ether=None if cfg.ether is None else cfg.ether.hex(":"),
            mtu=cfg.mtu,
            gateway=None if cfg.gateway is None else str(cfg.gateway),
            arp=not cfg.type,
        )

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return super().annotations_written() if self.cfg.type else ()
