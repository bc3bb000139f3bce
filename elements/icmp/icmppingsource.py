from clickbpf.declare import ANEW, SAME, Held, IPAddress, Private, Required, be32

from ._pingsource import MANUAL, PingSource


class ICMPPingSource(PingSource):
    __doc__ = MANUAL.format(
        name="ICMPPingSource",
        protocol="ICMP",
        ip="IP",
        numbers="Sequence number and IP identification count",
        hops="TTL",
        more="",
        addresses="10.0.0.1, 10.0.0.2",
        ethertype="0x0800",
    )
    aliases = ("ICMPSendPings",)
    args = (
        Required("SRC", IPAddress(), setting="source", text="the addresses"),
        Required("DST", IPAddress(), setting="source", text=SAME),
        *PingSource.KEYWORDS,
    )
    annotations = ("DST_IP",)
    state_types = {"source": Private(**PingSource.SOURCE, src=be32, dst=be32), "receiver": PingSource.RECEIVER}
    holds = (Held("requests without a reply", ANEW, ANEW),)
