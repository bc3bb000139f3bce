"""GTPDecap: off with the GTP-U header."""

from __future__ import annotations

from clickbpf.vocabulary.element import Element


class GTPDecap(Element):
    """removes GTP-U headers

    Synopsis: `GTPDecap`

    A class of FastClick. The packet has to begin with a GTP-U header of version 1 that carries a user's packet (3GPP TS 29.281,
    message 255). The header goes, with its options and extension headers, which FastClick leaves; its tunnel endpoint identifier
    becomes the aggregate annotation. Other packets, echo requests for instance, or headers that say more than is there, leave
    unchanged by output 1; they are dropped if that is not there. (FastClick, which has no output 1, takes eight bytes off them,
    too.)

    More than four extension headers are left to the runtime.

    Ports: one input; output 0, and push output 1, which may be missing.

    Example: packets from mobile phones, as their base station sends them:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> CheckUDPHeader -> IPFilter(allow udp dst port 2152) -> StripIPHeader
            -> Strip(8) -> GTPDecap -> CheckIPHeader -> Queue -> ToDevice(eth1);
    """

    ports = "1/1-2"
    processing = "a/ah"
    annotations = ("AGGREGATE",)
    weight = 120
