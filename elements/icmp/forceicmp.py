from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import ICMPType, Required, Word
from clickbpf.vocabulary.element import Element

from ._code import parse_code


class ForceICMP(Element):
    """makes the contents of IP packets look like ICMP

    Synopsis: `ForceICMP(TYPE, CODE)`

    For tests: noise becomes ICMP messages of a type and a code whose checksum is right. The packet's IP header has to be
    marked (MarkIPHeader, ForceIP). Packets whose IP header has wrong lengths, or no room for 8 bytes after it, are dropped;
    the runtime says so on standard error. Messages of more than 4095 bytes are left to the runtime.

    Arguments:

      - TYPE: the ICMP type, by name or number.
      - CODE: its code, by name (which depends on the type) or number.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> ForceICMP(unreachable, port) -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    args = (Required("TYPE", ICMPType()), Required("CODE", Word()))
    weight = 300
    icmp_code = 0

    def configure(self) -> None:
        self.icmp_code = parse_code(self)

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {"type": ("__u8", str(self.cfg.type)), "code": ("__u8", str(self.icmp_code))}
