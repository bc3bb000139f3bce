from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import Anno, ArgError, Enum, Integer, Keyword, Optional
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.forms import ANY, Form

#: Where addresses are in an IP header (RFC 791, 3.1).
SOURCE, DESTINATION = 12, 16


class GetIPAddress(Element):
    """copies an IP address from the packet to an annotation

    Synopsis: `GetIPAddress([OFFSET, ANNO, IP ...])`

    Exactly one of OFFSET and IP is given. The 4 bytes there become the annotation, by default the destination address,
    which elements like LookupIPRoute and ARPQuerier use. For a packet too short to have them it becomes 0.0.0.0, as
    it does with IP for a packet whose IP header is not marked.

    Arguments:

      - OFFSET: bytes from the start of the packet to the address; 16 for the destination in an IP packet.
      - ANNO: an annotation of 4 bytes. Default DST_IP.
      - IP: `src` or `dst`, that address of the packet's IP header.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> Strip(14) -> GetIPAddress(16) -> StaticIPLookup(0/0 0) -> Discard;
    """

    bears_offloads = True
    keeps_header = True
    args = (
        Optional("OFFSET", Integer(signed=True)),
        Optional("ANNO", Anno(4), 0),
        Keyword("IP", Enum(src=SOURCE, dst=DESTINATION)),
    )
    weight = 20

    def configure(self) -> None:
        offset = self.cfg.offset
        if (offset is not None and offset >= 0) == (self.cfg.ip is not None):
            raise ArgError("one of OFFSET and IP has to be given", "use OFFSET 16 or IP dst for the destination address")

    def constants(self) -> Mapping[str, tuple[str, str]]:
        in_header = self.cfg.ip is not None
        return {
            "at": ("__u32", f"{self.cfg.ip if in_header else self.cfg.offset}U"),
            "in_header": ("bool", "true" if in_header else "false"),
        }

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return ((self.cfg.anno, 4),)

    def gives(self, form: Form | None) -> Form:
        return (form or ANY).changed(addressed=True) if self.cfg.anno == 0 else form or ANY
