import os

from clickbpf.declare import (
    LOST, USER, ArgError, Bool, DeviceName, Element, EtherAddress, Held, IPAddress, IPPrefix, Integer, Keyword, Optional,
    Private, Required, read_handler, s32, sum_handler, u8, u64,
)

from ._tun import open_device, set_up

#: Bytes of a device's name, including the final 0.
NAME = 16
#: Bytes of an IP header, and of the longest IP packet.
LEAST_MTU, MOST_MTU = 20, 65535


class KernelTun(Element, ports="0-1/1-2", processing="a/h", flow="x/y", runs=USER):
    """makes a network device for Linux, for IP packets

    Makes a tun device with the address ADDR when the router begins, and removes it when the router ends. IP packets that Linux
    routes to the device, for the addresses of ADDR/MASK except ADDR, leave by output 0 with their network and transport header and
    destination address annotations set; packets that aren't valid IP leave by output 1. Linux receives packets from the input on
    the device, without anything in front of the IP header, which must be marked. Invalid packets, and those longer than the MTU,
    are dropped with a line on standard error.

    It also works in routers run in user space. In a loaded router, FromHost and ToHost are a faster alternative.

    Arguments:

      - ADDR/MASK: Linux's address on the device, and the prefix routed to the device.
      - DEVNAME (or DEV_NAME): the device's name, at most 15 characters. By default Linux chooses.

    Ports: one input or none, push or pull; push output 0, and optional output 1.

    Example: `ping 192.0.2.2` is answered by the router:

        tun :: KernelTun(192.0.2.1/24) -> IPClassifier(icmp type echo) -> ICMPPingResponder -> tun;
    """

    args = (
        Required("ADDR", IPPrefix(bare=False)),
        Optional("GATEWAY", IPAddress(), text="an address within the prefix, as the gateway of Linux's default route. Default is none"),
        Keyword("TAP", Bool(), False, "whether the device is a tap, for packets with Ethernet headers, as KernelTap's"),
        Keyword("HEADROOM", Integer(32, high=8192), text="accepted, of no effect"),
        Keyword("BURST", Integer(32, signed=True), 1, "packets to read per run, at least 1"),
        Keyword("ETHER", EtherAddress(), text="for a tap, Linux's Ethernet address on the device. By default Linux chooses"),
        Keyword("IGNORE_QUEUE_OVERFLOWS", Bool(), False, "true to report packets lost to a full queue only once on standard error"),
        Keyword("MTU", Integer(32, signed=True), 1500, "bytes of the longest packet, without link headers"),
        Keyword("DEV_NAME", DeviceName(), ""),
        Keyword("DEVNAME", DeviceName(), ""),
    )
    annotations = ("DST_IP",)
    state_types = {
        "device": Private(packets=u64, selected_calls=u64, fd=s32, told_read=u8, told_write=u8, name=u8 * NAME),
    }
    holds = (Held("what Linux sends by its device meanwhile", LOST, LOST),)
    _fd: int | None = None
    derived = {"mtu": ("__u32", lambda self: self.cfg.mtu), "burst": ("__u32", lambda self: self.cfg.burst)}

    def configure(self) -> None:
        cfg = self.cfg
        if cfg.gateway is not None and cfg.gateway not in cfg.addr:
            raise ArgError("bad GATEWAY", f"an address within {cfg.addr}", argument="GATEWAY")
        if cfg.burst < 1:
            raise ArgError("BURST must be >= 1", argument="BURST")
        if not LEAST_MTU <= cfg.mtu <= MOST_MTU:
            raise ArgError(f"MTU must be greater than {LEAST_MTU - 1}, and at most {MOST_MTU}", argument="MTU")
        cfg.devname = cfg.devname or cfg.dev_name
        if len(cfg.devname.encode()) >= NAME:
            raise ArgError(f"'{cfg.devname}' is too long for the name of a device", f"{NAME - 1} characters", argument="DEVNAME")

    def initialise(self) -> None:
        cfg = self.cfg
        self._fd, self._name = open_device(cfg.devname, cfg.tap)
        self.state.device.fd = self._fd
        self.state.device.name = (u8 * NAME)(*self._name.encode())
        set_up(self._name, cfg.addr, cfg.gateway, cfg.mtu, cfg.ether if cfg.tap else None)

    def finished(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
        self._fd = None

    dev_name = read_handler(lambda self: bytes(self.state.device.name).rstrip(b"\0").decode(), text="the device's name.")
    packets = sum_handler("device", text="packets read")
    selected_calls = sum_handler("device", text="how often the device was readable")
