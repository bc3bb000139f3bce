"""ProtocolTranslator46: IPv4 packets become IPv6 packets."""

from __future__ import annotations

from clickbpf.args import Keyword

from ._siit import MAPPED, Prefix96, Translator


class ProtocolTranslator46(Translator):
    """turns IPv4 packets into IPv6 packets

    Synopsis: `ProtocolTranslator46([SRC ..., DST ...])`

    IPv4 packets, which begin with their header, become IPv6 packets as RFC 7915 has it, one at a time and without a state. The
    IPv4 addresses become the last 32 bits of addresses that begin with SRC and DST. Hop limit and traffic class are TTL and TOS; nothing
    is decremented, and the flow label is 0. Checksums of TCP and UDP are updated, so wrong ones stay wrong. Echo requests and
    replies are those of ICMPv6. The header becomes the network header, and its destination the destination address annotation.

    The kernel path hands over what takes more: options, which are left out; fragments; UDP without a checksum, which IPv6 wants; ICMP
    errors, whose packet within is translated as well, without extensions (RFC 4884), as far as fits into 1280 bytes. There DST is its
    source's prefix, and SRC its destination's, as it went the other way.

    Packets that can't be translated leave unchanged by output 1, or are dropped if that is not there: those with the address 0.0.0.0;
    with a source route that is not at its end; shorter than they say, or than a header of TCP or UDP; pieces of ICMP messages, and
    of UDP without a checksum; errors with a wrong checksum; messages that ICMPv6 doesn't have.

    Click's element subtracts 191 from the TTL, modulo 256, sets the traffic class to 0, makes wrong checksums right, and doesn't look
    at the packet within an error; what is neither TCP, UDP nor ICMP has next header 0.

    Arguments:

      - SRC, DST: prefixes of 96 bits. Default `::ffff:0:0/96`.

    Ports: one push input; push output 0, and push output 1 (may be missing) for what can't be translated.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> ProtocolTranslator46(SRC 64:ff9b::/96) -> Discard;
    """

    args = (Keyword("SRC", Prefix96(), MAPPED), Keyword("DST", Prefix96(), MAPPED))
    annotations = ("DST_IP6",)
