"""ICMP6PingSource: the program ping for IPv6, as an element."""

from __future__ import annotations

from ipaddress import IPv6Address

from clickbpf.args import IP6Address, Required, ip6_text
from clickbpf.vocabulary.element import read_handler, write_handler
from clickbpf.vocabulary.state import Private, u8

from ..icmp._pingsource import PingSource


class ICMP6PingSource(PingSource):
    """sends ICMPv6 echo requests, and takes the answers' time

    Synopsis: `ICMP6PingSource(SRC, DST, [INTERVAL ..., IDENTIFIER ..., LIMIT ..., STOP ..., DATA ..., ACTIVE ..., MIRROR ...,
    VERBOSE ...])`

    An echo request from SRC to DST leaves every INTERVAL, the first after one. Sequence numbers count from 1 to
    65535, and then from 1 again; the hop limit is 200. Where packets are pulled from it, every pull gets one.

    Answers may be led back to its input, with their IPv6 header marked. They are reported on standard error and counted, and
    at the end the summary is printed, as the program ping does. Other packets that arrive there are dropped.

    Click has no such element; it is to IPv6 what ICMPPingSource is to IPv4.

    Arguments:

      - SRC, DST: the addresses.
      - INTERVAL: time between requests. Default 1 s.
      - IDENTIFIER: the ICMPv6 identifier, 0 to 65535. Default 0.
      - LIMIT: requests to send; no limit if negative. Default -1.
      - STOP: true to stop the driver when LIMIT is reached. Default false.
      - DATA: what follows the header of requests. Default nothing.
      - ACTIVE: false to send nothing at first. Default true.
      - MIRROR: true to make each answer the next request, whatever LIMIT says; for push outputs only. Default false.
      - VERBOSE: false to print neither answers nor the summary. Default true.

    Ports: one push input, which may be missing; one output.

    Handlers:

      - `active`, `src`, `dst` (read, write): the arguments.
      - `limit`, `interval` (write): the arguments.
      - `count` (read): requests sent.
      - `reset_counts` (write): sets all counters to zero.
      - `summary` (read): requests, answers, loss, and round trip times.
      - `rtt_min`, `rtt_avg`, `rtt_max` (read): round trip times, 0ms before the first answer.

    Example:

        ping :: ICMP6PingSource(2001:db8::1, 2001:db8::2, INTERVAL 0.2, LIMIT 5, STOP true)
            -> EtherEncap(0x86dd, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth0);
        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> ping;
    """

    MOST = 65527
    args = (Required("SRC", IP6Address()), Required("DST", IP6Address()), *PingSource.KEYWORDS)
    annotations = ("DST_IP6",)
    state_types = {"source": Private(**PingSource.SOURCE, src=u8 * 16, dst=u8 * 16), "receiver": PingSource.RECEIVER}

    def set_address(self, name: str, address: IPv6Address) -> None:
        getattr(self.state.source, name)[:] = address.packed

    @read_handler
    def src(self) -> str:
        return ip6_text(IPv6Address(bytes(self.state.source.src)))

    @write_handler("src")
    def write_src(self, text: str) -> None:
        self.set_address("src", IP6Address().parse(text.strip(), self.context))

    @read_handler
    def dst(self) -> str:
        return ip6_text(IPv6Address(bytes(self.state.source.dst)))

    @write_handler("dst")
    def write_dst(self, text: str) -> None:
        self.set_address("dst", IP6Address().parse(text.strip(), self.context))
