"""ICMPPingSource: the program ping, as an element."""

from __future__ import annotations

from ipaddress import IPv4Address

from clickbpf.args import IPAddress, Required
from clickbpf.vocabulary.element import field_handlers
from clickbpf.vocabulary.state import Private, be32

from ._pingsource import PingSource


class ICMPPingSource(PingSource):
    """sends ICMP echo requests, and takes the answers' time

    Synopsis: `ICMPPingSource(SRC, DST, [INTERVAL ..., IDENTIFIER ..., LIMIT ..., STOP ..., DATA ..., ACTIVE ..., MIRROR ...,
    VERBOSE ...])`

    An echo request from SRC to DST leaves every INTERVAL, the first after one. Sequence number and IP identification count
    from 1 to 65535, and then from 1 again; the TTL is 200. Where packets are pulled from it, every pull gets one.

    Answers may be led back to its input, with their IP header marked. They are reported on standard error and counted, and
    at the end the summary is printed, as the program ping does. Other packets that arrive there are dropped.

    Arguments:

      - SRC, DST: the addresses.
      - INTERVAL: time between requests. Default 1 s.
      - IDENTIFIER: the ICMP identifier, 0 to 65535; as in Click on Linux it is sent in the machine's byte order. Default 0.
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

        ping :: ICMPPingSource(10.0.0.1, 10.0.0.2, INTERVAL 0.2, LIMIT 5, STOP true)
            -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth0);
        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> ping;
    """

    aliases = ("ICMPSendPings",)
    args = (Required("SRC", IPAddress()), Required("DST", IPAddress()), *PingSource.KEYWORDS)
    annotations = ("DST_IP",)
    state_types = {"source": Private(**PingSource.SOURCE, src=be32, dst=be32), "receiver": PingSource.RECEIVER}

    def set_address(self, name: str, address: IPv4Address) -> None:
        setattr(self.state.source, name, int(address))

    src = field_handlers("source", IPAddress())
    dst = field_handlers("source", IPAddress())
