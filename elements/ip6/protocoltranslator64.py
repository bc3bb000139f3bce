"""ProtocolTranslator64: IPv6 packets become IPv4 packets."""

from __future__ import annotations

from clickbpf.args import Bool, Keyword

from ._siit import MAPPED, Prefix96, Translator


class ProtocolTranslator64(Translator):
    """turns IPv6 packets into IPv4 packets

    Synopsis: `ProtocolTranslator64([PREFIX ..., FRAGMENTABLE ...])`

    IPv6 packets, which begin with their header, become IPv4 packets as RFC 7915 has it, one at a time and without a state. The
    addresses are the last 32 bits of the IPv6 addresses, whose first 96 have to be `::ffff:0:0`, `::`, or PREFIX. TTL and TOS are
    the hop limit and the traffic class; nothing is decremented. Checksums of TCP and UDP are updated, so wrong ones stay wrong. Echo
    requests and replies are those of ICMP. The header becomes the network header, and its destination the destination address annotation.

    The kernel path hands over what takes more: extension headers, which are left out; fragments, whose identification becomes the
    last 16 bits of its own; ICMPv6 errors, whose packet within is translated as well, without extensions (RFC 4884).

    Packets that can't be translated leave unchanged by output 1, or are dropped if that is not there: those with other addresses, or
    0.0.0.0; with a routing header that has segments left; shorter than they say, or than a header of TCP or UDP; pieces of ICMPv6
    messages; errors with a wrong checksum; messages that ICMP doesn't have, such as neighbour discovery.

    Click's element sets TOS to 0, takes addresses of `::ffff:0:0/96` only, makes wrong checksums right, and doesn't look at the packet
    within an error, nor at extension headers; what is neither TCP, UDP nor ICMPv6 has protocol 0 and no checksum. Plain packets of
    these protocols are alike.

    Arguments:

      - PREFIX: another prefix that addresses may have, of 96 bits. Default `::ffff:0:0/96`, so no other.
      - FRAGMENTABLE: true to let routers divide packets of up to 1260 bytes (RFC 7915, 5.1): Don't Fragment is not set, and they have
        an identification. Default false: all have Don't Fragment and identification 0, as Click's.

    Ports: one push input; push output 0, and push output 1 (may be missing) for what can't be translated.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> ProtocolTranslator64(PREFIX 64:ff9b::/96) -> Discard;
    """

    args = (Keyword("PREFIX", Prefix96(), MAPPED), Keyword("FRAGMENTABLE", Bool(), False))
    annotations = ("DST_IP",)
