from clickbpf.declare import ANY, BEARS_OFFLOADS, KEEPS_HEADER, NETWORK, PARTS_PLAIN, Form, IP6Address, Integer, ListOf, Optional

from ..common._headercheck import KERNEL, HeaderCheck
from ._code import membership6


class CheckIP6Header(HeaderCheck, traits=BEARS_OFFLOADS | PARTS_PLAIN | KEEPS_HEADER):
    __doc__ = f"""checks IPv6 headers, marks them for other elements, cuts off padding

    A packet is good if an IPv6 header (RFC 8200) begins OFFSET bytes into it, its payload length is not more than follows, and
    its addresses may appear on a link: the source is no multicast group or loopback address, the destination neither the loopback
    nor the unspecified address (RFC 4291). The source may be unspecified, as hosts without an address ask for one. A good packet
    leaves by output 0 with its network header, transport header and destination address annotations set, and without anything that
    follows the payload (such as the padding of short Ethernet frames). The others leave unchanged by output 1, or are dropped if
    there is no output 1.

    The transport header is what follows the extension headers, of which at most 8 are examined. A packet with more of them, or
    whose extension headers are cut off, is still good: routers don't look at them (RFC 8200, 4).

    Click's element lets multicast and loopback sources pass, sets no destination address annotation (GetIP6Address(24) does), and
    takes whatever follows the IPv6 header for the transport header.

    {KERNEL}

    Example: FromDevice(eth0) -> Strip(14) -> CheckIP6Header(2001:db8::1) -> Discard;
    """

    subject = "IP6"
    reasons = {
        "TINY": "tiny packet",
        "VERSION": "bad IP version",
        "LENGTH": "bad IP length",
        "SOURCE": "bad source address",
        "DESTINATION": "bad destination address",
    }
    args = (
        Optional("BADADDRS", ListOf(IP6Address()), (), "addresses that are not valid as sources, separated by spaces"),
        Optional("OFFSET", Integer(), 0, "bytes before the IPv6 header"),
        *HeaderCheck.args,
    )
    annotations = ("DST_IP6",)
    weight = 220

    @property
    def takes(self) -> tuple[Form, ...]:
        return () if self.cfg.offset else (Form(begins=NETWORK),)

    def gives(self, form: Form | None) -> Form:
        return form.changed(marked=True) if form else ANY

    def code(self) -> str:
        return super().code() + membership6("bad_address", self.cfg.badaddrs)
