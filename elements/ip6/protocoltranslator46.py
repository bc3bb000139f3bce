from clickbpf.declare import SAME, Keyword

from ._siit import MAPPED, MAPPINGS, EmbeddingPrefix, Translator


class ProtocolTranslator46(Translator):
    """turns IPv4 packets into IPv6 packets

    IPv4 packets, which begin with their header, become IPv6 packets as RFC 7915 specifies, one at a time and without state. The
    IPv4 addresses follow SRC and DST in the new ones, as RFC 6052 (2.2) specifies. Hop limit and traffic class are TTL and TOS;
    nothing is decremented, and the flow label is 0. Checksums of TCP and UDP are updated, so wrong ones stay wrong. Echo requests
    and replies become those of ICMPv6. The new header becomes the network header, and its destination the destination address
    annotation.

    The kernel path hands over packets that need more work: packets with options, which are left out; fragments; UDP without a
    checksum, which IPv6 requires; and ICMP errors, whose inner packet is translated as well, as far as it fits into 1280 bytes; an
    extension (RFC 4884) stays behind it if ICMPv6 has room to say so, in messages of types 1 and 3. In the inner packet, DST is the
    prefix of the source and SRC that of the destination, since it went the other way.

    Packets that can't be translated leave unchanged by output 1, or are dropped if there is no output 1: packets to 0.0.0.0;
    packets, other than ICMP errors, from networks 0 and 127 and from 224.0.0.0 on; with a source route that is not at its end;
    shorter than their headers say, or than a header of TCP or UDP; fragments of ICMP messages, and of UDP without a checksum;
    errors with a wrong checksum; and messages that ICMPv6 doesn't have.

    A MAPPING takes precedence over the prefixes. But if a MAPPING has the destination, the source is always translated by SRC,
    except in a router's ICMP error: the packet then comes from an IPv6 host that has called another one by its IPv4 address, and
    the replies must pass here, too (hairpinning, RFC 7757, 4.2).

    Click's element has no arguments, subtracts 191 from the TTL, modulo 256, sets the traffic class to 0, makes wrong checksums
    right, and ignores the packet within an error; packets other than TCP, UDP and ICMP get next header 0.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> ProtocolTranslator46(SRC 64:ff9b::/96) -> Discard;
        FromDevice(eth1) -> Strip(14) -> CheckIPHeader
            -> ProtocolTranslator46(192.0.2.0/24 2001:db8:1::/120, SRC 64:ff9b::/96) -> Discard;
    """

    args = (
        MAPPINGS,
        Keyword("SRC", EmbeddingPrefix(), MAPPED, "prefixes of 32, 40, 48, 56, 64 or 96 bits. Default `::ffff:0:0/96`"),
        Keyword("DST", EmbeddingPrefix(), MAPPED, SAME),
    )
    annotations = ("DST_IP6",)
