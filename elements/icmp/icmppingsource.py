from __future__ import annotations

from clickbpf.args import IPAddress, Required
from clickbpf.vocabulary.element import field_handlers
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import Private, be32

from ._pingsource import MANUAL, PingSource


class ICMPPingSource(PingSource):
    __doc__ = MANUAL.format(
        name="ICMPPingSource",
        protocol="ICMP",
        ip="IP",
        numbers="Sequence number and IP identification count",
        hops="TTL",
        identifier="; as in Click on Linux it is sent in the machine's byte order",
        more="",
        addresses="10.0.0.1, 10.0.0.2",
        ethertype="0x0800",
    )
    aliases = ("ICMPSendPings",)
    address = IPAddress()
    args = (Required("SRC", address), Required("DST", address), *PingSource.KEYWORDS)
    annotations = ("DST_IP",)
    state_types = {"source": Private(**PingSource.SOURCE, src=be32, dst=be32), "receiver": PingSource.RECEIVER}
    holds = (Held("requests without a reply", ANEW, ANEW),)

    src = field_handlers("source", address)
    dst = field_handlers("source", address)
