from contextlib import suppress
from typing import Any

from clickbpf.declare import (
    ANY, BEARS_OFFLOADS, KEEPS_HEADER, NAMES_ANYWHERE, NETWORK, PARTS_PLAIN, AlignmentRule, ArgError, Bool, Form, IPAddress,
    IPPrefixNonContiguous, Integer, Keyword, ListOf, Optional,
)

from ..common._headercheck import KERNEL, HeaderCheck
from ._sources import source_tests


ADDRESSES = ListOf(IPAddress())


class Offset(Integer):
    """An integer. Old configurations have the addresses of BADSRC in its place."""

    def wrong(self, text: str, **where: Any) -> ArgError:
        with suppress(ArgError):
            ADDRESSES.parse(text)
            where["hint"] = f"write BADSRC {text}"
        return super().wrong(text, **where)


class CheckIPHeader(HeaderCheck, traits=BEARS_OFFLOADS | PARTS_PLAIN | KEEPS_HEADER | NAMES_ANYWHERE):
    __doc__ = f"""checks IP headers, marks them for other elements, cuts off padding

    A packet is good if an IPv4 header of at least 20 bytes begins OFFSET bytes into it, its total length is neither shorter
    than the header nor longer than the packet, its checksum is right, and its source address is valid. A good packet leaves by
    output 0, with its network header, transport header and destination address annotations set, cut to its total length (Ethernet
    pads short packets). Bad packets leave unchanged by output 1, or are dropped if it isn't connected.

    {KERNEL}

    Example:

        FromDevice(eth0) -> Strip(14)
            -> CheckIPHeader(INTERFACES 10.0.0.1/24 10.0.1.1/24)
            -> Discard;
    """

    subject = "IP"
    reasons = {
        "TINY": "tiny packet",
        "VERSION": "bad IP version",
        "HEADER_LENGTH": "bad IP header length",
        "LENGTH": "bad IP length",
        "CHECKSUM": "bad IP checksum",
        "SOURCE": "bad source address",
    }
    args = (
        Optional("OFFSET", Offset(), 0, "bytes in front of the IP header"),
        Keyword("INTERFACES", ListOf(IPPrefixNonContiguous()), (), "this router's addresses, each with its prefix (`18.26.4.9/24`). Their "
            "subnets' broadcast addresses, 0.0.0.0 and 255.255.255.255 are invalid sources, unless the packet is for one of the addresses "
                "themselves"),
        Keyword("BADSRC", ADDRESSES, (), "invalid source addresses. It has no effect beside INTERFACES"),
        Keyword("GOODDST", ADDRESSES, (), "addresses for which a packet may have any source. It has no effect beside INTERFACES"),
        Keyword("CHECKSUM", Bool(), True, "whether to check the header's checksum"),
        *HeaderCheck.args,
    )
    annotations = ("DST_IP",)
    weight = 160

    @property
    def takes(self) -> tuple[Form, ...]:
        return () if self.cfg.offset else (Form(begins=NETWORK),)

    def gives(self, form: Form | None) -> Form:
        return (form or ANY).changed(marked=True)

    @property
    def alignment(self) -> AlignmentRule:
        return AlignmentRule.of_ip_header(self.cfg.offset, informed=True)

    def code(self) -> str:
        return super().code() + source_tests(self.cfg)
