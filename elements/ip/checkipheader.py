from __future__ import annotations

from clickbpf.args import Bool, Integer, IPAddress, IPPrefixNonContiguous, Keyword, ListOf, Optional
from clickbpf.vocabulary.alignment import AlignmentRule
from clickbpf.vocabulary.forms import NETWORK, Form

from ..common._headercheck import KERNEL, REPORTS, RESULTS, HeaderCheck
from ._sources import source_tests


class CheckIPHeader(HeaderCheck):
    __doc__ = f"""checks IP headers, marks them for other elements, cuts off padding

    Synopsis: `CheckIPHeader([OFFSET, INTERFACES ..., BADSRC ..., GOODDST ..., CHECKSUM ..., VERBOSE ..., DETAILS ...])`

    A packet is good if an IPv4 header of at least 20 bytes begins OFFSET bytes into it, its total length is neither shorter
    than the header nor longer than the packet, its checksum is right, and its source may be one. A good packet leaves by
    output 0 with its network header, transport header and destination address annotations set, and without what follows
    the total length (as Ethernet pads short packets). The others leave unchanged by output 1, or are dropped if that is not
    there.

    Arguments:

      - OFFSET: bytes in front of the IP header. Default 0.
      - INTERFACES: this router's addresses, each with its prefix (`18.26.4.9/24`). Their subnets' broadcast addresses,
        0.0.0.0 and 255.255.255.255 are no sources, unless the packet is for one of the addresses themselves.
      - BADSRC: addresses that are no sources. It has no effect beside INTERFACES.
      - GOODDST: addresses for which a packet may have any source. It has no effect beside INTERFACES.
      - CHECKSUM: whether to check the header's checksum. Default true.
      {REPORTS}

    {KERNEL}

    {RESULTS}

    Example:

        FromDevice(eth0) -> Strip(14)
            -> CheckIPHeader(INTERFACES 10.0.0.1/24 10.0.1.1/24)
            -> Discard;
    """

    names_anywhere = True
    bears_offloads = True
    parts_plain = True
    keeps_header = True
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
        Optional("OFFSET", Integer(), 0),
        Keyword("INTERFACES", ListOf(IPPrefixNonContiguous()), ()),
        Keyword("BADSRC", ListOf(IPAddress()), ()),
        Keyword("GOODDST", ListOf(IPAddress()), ()),
        Keyword("CHECKSUM", Bool(), True),
        *HeaderCheck.args,
    )
    annotations = ("DST_IP",)
    weight = 160

    @property
    def takes(self) -> tuple[Form, ...]:
        return () if self.cfg.offset else (Form(begins=NETWORK),)

    def gives(self, form: Form | None) -> Form:
        return Form(form.begins if form else None, marked=True, addressed=True)

    @property
    def alignment(self) -> AlignmentRule:
        return AlignmentRule.of_ip_header(self.cfg.offset, informed=True)

    def code(self) -> str:
        return super().code() + source_tests(self.cfg)
