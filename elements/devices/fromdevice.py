from collections.abc import Iterator
from socket import socket

from clickbpf.declare import (
    ANNOTATIONS, ANY, BEARS_OFFLOADS, FRAME, FRAMES, MAY_BEAR_OFFLOADS, PASSES, PROMISCUOUS, SAME, USER, AlignmentRule, ArgError, Bool,
    CountsDrops, DeviceName, Form, HostEnd, Integer, Keyword, Optional, PerThread, Private, Raw, Required, String, Word,
    read_handler, reset_handler, s32, sum_handler, u32, u64,
)

from ._device import COMING_AND_GOING, begins, refuse_coming_and_going
from ._sniffing import DLT_EN10MB, DLT_RAW, compile_filter, open_sniffer


class FromDevice(HostEnd, CountsDrops, ports="0/1-2", processing="h", traits=MAY_BEAR_OFFLOADS):
    """reads packets from a network device

    Takes all packets that DEVNAME receives, before Linux sees them, and pushes them to output 0, beginning with their Ethernet
    headers. Send packets for Linux to ToHost. Sets the device, packet type and MAC header annotations; packets to other hosts'
    Ethernet addresses have the type OTHERHOST.

    Packets of an L3 device, such as a tun, a WireGuard device or an IP tunnel, begin with their IP headers, and have the network
    header annotation set instead; their type is HOST. L3 devices need the TC hook (`--hook tc`).

    With SNIFFER true, Click's default at user level, Linux handles all packets as usual, and the router gets copies by a packet
    socket, in user space. Use this to watch traffic: a router that forwards copies duplicates packets. With checksum or
    segmentation offloads, copies look as they do to Linux.

    Arguments are those of Click's user-level and Linux drivers; PollDevice is another name for the class.

    Handlers: `count`, packets received; `kernel_drops`, packets lost since loading because the runtime was too slow; `encap`, the
    header that packets begin with, ETHER or IP; `reset_counts`.

    Example: FromDevice(eth0) -> Counter -> Discard;
    """

    alignment = AlignmentRule(gives=FRAME)
    aliases = ("PollDevice",)
    args = (
        Required("DEVNAME", DeviceName(), "The device"),
        Optional("PROMISC", Raw(), text="Boolean. Put the device into promiscuous mode. Default is false"),
        Optional("SNAPLEN", Integer(32), text="Integer. Cut longer packets to this number of bytes, and set the EXTRA_LENGTH annotation "
            "to the number of bytes cut off. By default only copies are cut, to 65536 bytes"),
        Keyword("FORCE_IP", Bool(), False, "Boolean. Pass only IP packets, with the network header annotation set; others leave by output "
            "1 or are dropped. A packet keeps its Ethernet header, if it has one"),
        Keyword("SNIFFER", Bool(), text="Boolean. True to get copies and leave the packets to Linux; false to take the packets away from "
            "it. Default is false, but true if one of the next three arguments is given"),
        Keyword("OUTBOUND", Bool(), False, "Boolean. Also get copies of packets that Linux sends by the device. They have the type "
            "OUTGOING. Default is false. PROTOCOL and BPF_FILTER select copies; with SNIFFER false they are refused"),
        Keyword("PROTOCOL", Integer(16), 0, "Integer. Get only packets of this Ethernet type. Default is 0, for all"),
        Keyword("BPF_FILTER", String(), "", "String. Get only packets that match a filter in tcpdump's language, of up to 4096 "
            "characters; names of hosts and networks aren't looked up. The filter sees frames without a VLAN tag that the device has "
            "removed, which is put back afterwards. By default all packets match"),
        Keyword("ACTIVE", Bool(), True),
        Keyword("BURST", Integer(32, low=1), text="Accepted, without effect"),
        Keyword("HEADROOM", Integer(32), text=SAME),
        Keyword("LENGTH", Integer(32), text=SAME),
        Keyword("METHOD", Word(), text=SAME),
        Keyword("CAPTURE", Word()),
        Keyword("ENCAP", Word(), text=SAME),
        Keyword("ALIGNMENT", Raw(), text=SAME),
        Keyword("TIMESTAMP", Bool(), True, SAME),
        Keyword("QUIET", Bool(), False, SAME),
        *COMING_AND_GOING,
    )
    annotations = ("DST_IP", "EXTRA_LENGTH")
    drop_handlers = {"kernel_drops": "OVERRUN"}
    state_types = {"counters": PerThread(count=u64)}
    _sniffer: socket | None = None
    derived = {"cut": ("__u32", lambda self: 0xFFFFFFFF if self.cfg.snaplen is None else self.cfg.snaplen)}

    def configure(self) -> None:
        cfg = self.cfg
        cfg.promisc = self._promisc(cfg.promisc)
        refuse_coming_and_going(cfg)
        if not cfg.active:
            raise ArgError("a device can't be left to Linux later", "leave the element out", argument="ACTIVE")
        self._filter = self._compiled()
        choosing = [name for name in ("PROTOCOL", "BPF_FILTER") if getattr(cfg, name.lower())]
        if choosing and cfg.sniffer is False:
            raise ArgError("only copies can be chosen: SNIFFER is false", f"leave {' and '.join(choosing)} out", argument=choosing[0])
        if cfg.sniffer is None:
            cfg.sniffer = bool(choosing or cfg.outbound)
        if cfg.snaplen is None:
            self.traits |= BEARS_OFFLOADS
            if not cfg.force_ip:
                self.traits |= PASSES
        if cfg.sniffer:
            self.runs = USER
        elif cfg.promisc:
            self.traits |= PROMISCUOUS
        if cfg.sniffer or cfg.outbound:
            self.entries = ("event", "init")
            self.state_types = {**self.state_types, "sniffing": Private(fd=s32, lost=u32)}

    def warnings(self) -> Iterator[ArgError]:
        if self.cfg.devname == "lo" and not self.cfg.sniffer:
            what = "programs of this machine lose what they send each other: all packets of 'lo' are the router's"
            hint = "SNIFFER true gets copies; 'clickbpf try' makes devices to try a router on"
            yield ArgError(what, hint, argument="DEVNAME", in_click="")

    def _compiled(self, link: int = DLT_EN10MB):
        try:
            return compile_filter(self.cfg.bpf_filter, link)
        except ArgError as error:
            raise ArgError(error.message, error.hint, argument="BPF_FILTER") from None

    @staticmethod
    def _promisc(text: str | None) -> bool:
        """The second argument is PROMISC at user level, but BURST, a number, in the Linux driver and PollDevice."""
        if text is None:
            return False
        try:
            return Bool().parse(text)
        except ArgError:
            try:
                Integer(32, low=1).parse(text)
            except ArgError:
                raise ArgError(f"PROMISC: '{text}' is not {Bool.described}", argument="PROMISC") from None
            return False

    def gives(self, form: Form | None) -> Form:
        if self.cfg.force_ip:
            return Form(marked=True)
        return FRAMES if begins(self.cfg.devname) else ANY

    @property
    def _listens(self) -> bool:
        """Whether it has a packet socket."""
        return self.cfg.sniffer or self.cfg.outbound

    def code(self) -> str:
        return '#include "devices/sniffing.inc.h"\n' if self._listens else ""

    def receives_from(self) -> str | None:
        return None if self.cfg.sniffer else self.cfg.devname

    def host_device(self) -> str | None:
        return self.cfg.devname if self.cfg.sniffer else None

    def initialise(self) -> None:
        if not self._listens:
            return
        self.state.sniffing.fd, index = -1, self.runtime.device_index(self.cfg.devname)
        if index is None:
            return
        if self.runtime.is_l3(self.cfg.devname):
            self._filter = self._compiled(DLT_RAW)
        try:
            self._sniffer = open_sniffer(index, self.cfg.outbound, self.cfg.promisc, self._filter)
        except OSError as error:
            raise ArgError(f"{self.cfg.devname} can't be listened on: {error.strerror}", "it takes CAP_NET_RAW") from None
        self.state.sniffing.fd = self._sniffer.fileno()

    def finished(self) -> None:
        if self._sniffer is not None:
            self._sniffer.close()
            self._sniffer = None

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        written = {"DST_IP": self.cfg.force_ip, "EXTRA_LENGTH": self.cfg.snaplen is not None or self._listens}
        return tuple(ANNOTATIONS[name] for name, does in written.items() if does)

    count = sum_handler("counters")
    encap = read_handler(lambda self: "IP" if self.runtime.is_l3(self.cfg.devname) else "ETHER")
    reset_counts = reset_handler("counters")
