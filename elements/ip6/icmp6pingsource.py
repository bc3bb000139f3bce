from clickbpf.declare import ANEW, SAME, Held, IP6Address, Private, Required, u8

from ..icmp._pingsource import MANUAL, PingSource


class ICMP6PingSource(PingSource):
    __doc__ = MANUAL.format(
        name="ICMP6PingSource",
        protocol="ICMPv6",
        ip="IP6",
        numbers="Sequence numbers count",
        hops="hop limit",
        more="\n\n    Click has no such element; it is to IPv6 what ICMPPingSource is to IPv4.",
        addresses="2001:db8::1, 2001:db8::2",
        ethertype="0x86dd",
    )
    MOST = 65527
    args = (
        Required("SRC", IP6Address(), setting="source", text="the addresses"),
        Required("DST", IP6Address(), setting="source", text=SAME),
        *PingSource.KEYWORDS,
    )
    annotations = ("DST_IP6",)
    state_types = {"source": Private(**PingSource.SOURCE, src=u8 * 16, dst=u8 * 16), "receiver": PingSource.RECEIVER}
    holds = (Held("requests without a reply", ANEW, ANEW),)
