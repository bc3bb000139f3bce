from clickbpf.declare import Element, ICMPType, Required, Word

from ._code import parse_code


class ForceICMP(Element):
    """makes the contents of IP packets look like ICMP

    For tests: turns noise into ICMP messages of a type and code, with a right checksum. The packet's IP header must be marked
    (MarkIPHeader, ForceIP). Packets whose IP header has wrong lengths, or less than 8 bytes after it, are dropped; the runtime
    reports this on standard error. The kernel path hands over messages of more than 4095 bytes.

    Example:

        FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> ForceICMP(unreachable, port) -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("TYPE", ICMPType(), "the ICMP type, by name or number"),
        Required("CODE", Word(), "its code, by name (which depends on the type) or number"),
    )
    weight = 300
    icmp_code = 0
    derived = {"type": ("__u8", lambda self: self.cfg.type), "code": ("__u8", lambda self: self.icmp_code)}

    def configure(self) -> None:
        self.icmp_code = parse_code(self)
