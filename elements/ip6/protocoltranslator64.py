from clickbpf.declare import Bool, Keyword

from ._siit import MAPPED, MAPPINGS, EmbeddingPrefix, Translator


class ProtocolTranslator64(Translator):
    """turns IPv6 packets into IPv4 packets

    IPv6 packets, which begin with their header, become IPv4 packets as RFC 7915 specifies, one at a time and without state. The
    addresses are the last 32 bits of IPv6 addresses whose first 96 are `::ffff:0:0` or `::`, or follow PREFIX in them, as RFC 6052
    (2.2) specifies; a MAPPING takes precedence over all these. TTL and TOS are the hop limit and the traffic class; nothing is
    decremented. Checksums of TCP and UDP are updated, so wrong ones stay wrong. Echo requests and replies become those of ICMP. The
    new header becomes the network header, and its destination the destination address annotation.

    The kernel path hands over packets that need more work: packets with extension headers, which are left out; fragments, which
    keep the last 16 bits of their identification; and ICMPv6 errors, whose inner packet is translated as well, as far as it fits
    into 576 bytes, with the extension (RFC 4884) that may follow it.

    Packets that can't be translated leave unchanged by output 1, or are dropped if there is no output 1: packets with other
    addresses, or 0.0.0.0; with a routing header that has segments left, or with extension headers after a fragment header; shorter
    than their headers say, or than a header of TCP or UDP; fragments of ICMPv6 messages; errors with a wrong checksum; and messages
    that ICMP doesn't have, such as neighbour discovery.

    Click's element sets TOS to 0, accepts only addresses of `::ffff:0:0/96`, makes wrong checksums right, and ignores the packet
    within an error, and extension headers; packets other than TCP, UDP and ICMPv6 get protocol 0 and no checksum. Plain packets
    of these protocols are the same.

    Example: FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> ProtocolTranslator64(PREFIX 64:ff9b::/96) -> Discard;
    """

    args = (
        MAPPINGS,
        Keyword("PREFIX", EmbeddingPrefix(), MAPPED, "another prefix, of 32, 40, 48, 56, 64 or 96 bits, that addresses may have. Default "
            "`::ffff:0:0/96`, and so no other"),
        Keyword("FRAGMENTABLE", Bool(), False, "true to let routers fragment packets of up to 1260 bytes (RFC 7915, 5.1): Don't Fragment "
            "is not set, and they have an identification. Default false: all packets have Don't Fragment and identification 0, as those of "
            "Click"),
    )
    annotations = ("DST_IP",)
