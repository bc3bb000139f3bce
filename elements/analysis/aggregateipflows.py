import os
import sys
from enum import IntEnum

from clickbpf import digits
from clickbpf.declare import (
    ANEW, ArgError, Array, Bool, ClickError, Constants, DirectArray, Element, ElementRef, Filename, HandlerName, Held, Integer, Keyword,
    Private, Time, Vars, control_handler, ptr, s32, sum_handler, u8, u32, u64,
)

from ..common._table import TABLE, capacity
from ..tables._index import buckets, index_state


class Size(IntEnum):
    """Counts of packets that wait between hosts."""

    HELD = 4096


#: The value of FRAGMENTS that stands for the default: gather fragments in a push context.
BY_CONTEXT = 2
HOUR = 3600


class AggregateIPFlows(Element, ports="1/1-2", processing="a/ah"):
    """numbers TCP and UDP flows in the aggregate annotation

    A flow is a pair of addresses with a pair of ports, both directions together. Flows are numbered from 1 on; a flow that has been
    silent for too long is over, and its next packet begins a new flow. The annotation PAINT is 0 for packets in the direction of
    the flow's first packet, 1 for the others.

    The clock is packets' timestamps; a packet without one gets the current time.

    The kernel path handles packets of known flows. It hands over packets that begin or end a flow, fragments, packets that have to
    wait behind fragments, and ICMP errors.

    Ports: one input; packets of flows leave by output 0, others by output 1 if it is connected.

    Example:

        FromDump(trace.pcap, STOP true, FORCE_IP true) -> f :: AggregateIPFlows -> a :: AggregateCounter -> Discard;
        DriverManager(pause, write f.clear, write a.write_text_file flows.txt);
    """

    same_form = True
    enums = (Size,)
    weight = 500
    args = (
        Keyword("TCP_TIMEOUT", Integer(31), 24 * HOUR, "Integer, seconds. A TCP flow that is silent for longer is over. Default is 86400, "
            "a day"),
        Keyword("TCP_DONE_TIMEOUT", Integer(31), 30, "Integer, seconds. The same after a RST or a FIN in both directions"),
        Keyword("UDP_TIMEOUT", Time(0), 60 * 10**9, "Time. The same for UDP. Default is 1 min"),
        Keyword("FRAGMENT_TIMEOUT", Time(0), 30 * 10**9, "Time. How long fragments wait for the first one of their packet. Default is 30 "
            "s"),
        Keyword("REAP", Time(0), HOUR // 3 * 10**9, "Time. How often flows that are over are looked for. Default is 20 min"),
        Keyword("ICMP", Bool(), False, "Boolean. An ICMP error belongs to the flow of the packet that it quotes, with 2 or 3 as PAINT"),
        Keyword("FRAGMENTS", Bool(), text="Boolean. Keep fragments until the ports of their packet are known, and everything else between "
            "the two hosts after them, so that it stays in order. Not in a pull context, where the default is false; else it is true. "
            "Between two hosts 512 packets wait, and 8192 of each protocol in all; those that have waited for longest make room"),
        Keyword("TRACEINFO", Filename(), text="Write a description of each flow in XML to this file, or `-`, when it is over; flows that "
            "are still open at the end follow host by host, those with the latest packet first"),
        Keyword("SOURCE", ElementRef(), text="An element, such as FromDump, whose handlers `filename` and `packet_filepos` are read for "
            "that file"),
        capacity(1 << 20, "Integer. The most flows at a time; a new one then ends the flow that has been silent for longest (if the kernel "
            "path has since had packets of more than 4096 such flows, the one silent for longest among 4096). Default is 1048576. Each "
            "takes 64 bytes from the start, 64 MB by default, and up to 220 more while it is in use. (Click's element takes memory "
            "without a limit.)"),
    )
    annotations = ("AGGREGATE", "PAINT", "TIMESTAMP")
    #: `known` describes each flow: its addresses, the lower one in the upper half; the last packet's timestamp; packets in the
    #: direction of the first one, and in the other; the ports as in a packet from the lower to the higher address; whether its
    #: first packet went the other way; bits for the directions in which a FIN was seen; and which count of `held` has the packets
    #: that wait between its hosts. The generation is odd while the entry is in use. Unused entries form a list, linked by
    #: `aggregate`.
    state_types = {
        "flows": Private(
            tcp=TABLE, udp=TABLE, listeners=ptr, info=ptr, active=s32, next=u32, fd=s32, unused=u32,
            gathers=u8, bucket=ptr, bits=u32, count=u32,
            oldest=ptr, newest=ptr, ended=u64, evicted=u64, tcp_line=u64 * 3, udp_line=u64 * 3,
        ),
        "known": Array(
            lambda element: element.cfg.capacity + 1,
            addresses=u64, last=u64, packets=u32 * 2, ports=u32, aggregate=u32, generation=u32, held=u32, protocol=u8, reverse=u8, over=u8,
        ),
        "buckets": index_state(lambda element: element.cfg.capacity),
        "held": DirectArray(Size.HELD, count=u32),
        "shared": Vars(key=u64 * 2, used=u32, outside=u32, reap=s32),
    }  # fmt: skip
    holds = (Held("flows", ANEW, ANEW),)

    def configure(self) -> None:
        self._fd: int | None = None

    def constants(self) -> Constants:
        cfg = self.cfg
        seconds = {name: getattr(cfg, name) // 10**9 for name in ("udp_timeout", "fragment_timeout", "reap")}
        return {
            **{name: ("int", str(value)) for name, value in seconds.items()},
            "mask": ("__u32", str(buckets(cfg.capacity) - 1)),
            "tcp_timeout": ("int", str(cfg.tcp_timeout)),
            "tcp_done_timeout": ("int", str(cfg.tcp_done_timeout)),
            "fragments": ("int", str(BY_CONTEXT if cfg.fragments is None else int(cfg.fragments))),
            "has_info": ("bool", Bool().c_value(cfg.traceinfo is not None)),
            "has_source": ("bool", Bool().c_value(cfg.traceinfo is not None and cfg.source is not None)),
            "info_is_stdout": ("bool", Bool().c_value(cfg.traceinfo == "-")),
        }

    # -- the file of flows -------------------------------------------------------------------------------------------

    def initialise(self) -> None:
        self.state.flows.fd = -1
        if self.cfg.traceinfo is None:
            return
        try:
            self._fd = os.dup(1) if self.cfg.traceinfo == "-" else os.open(self.cfg.traceinfo, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        except OSError as error:
            raise ArgError(f"{self.cfg.traceinfo}: {error.strerror}", argument="TRACEINFO") from None
        self.state.flows.fd = self._fd
        name = self._ask("filename") if self.cfg.source else ""
        file = f" file='{name}'" if name else ""
        os.write(self._fd, f"<?xml version='1.0' standalone='yes'?>\n<trace{file}>\n".encode())

    def _ask(self, handler: str) -> str:
        """The value of the source's handler; empty if it doesn't exist."""
        try:
            return self.runtime.read(HandlerName(self.cfg.source, handler)).strip()
        except ClickError:
            return ""

    def called(self, aggregate: int) -> int:
        """A flow has begun: the position of the latest packet in the source's file."""
        position = self._ask("packet_filepos")
        return digits.number(position) or 0

    def finished(self) -> None:
        """Close the file if the C side never took it."""
        if self._fd is not None and self.state.flows.fd == self._fd:
            os.close(self._fd)
        self._fd = None
        sys.stdout.flush()

    evicted = sum_handler("flows", text="flows that were over because there were CAPACITY others")

    clear = control_handler(text="forgets all flows; packets that wait go on")
