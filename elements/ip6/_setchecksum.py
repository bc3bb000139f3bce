"""The base of SetTCPChecksumIP6, SetUDPChecksumIP6 and ICMP6Checksum."""

from typing import ClassVar

from clickbpf.declare import Element

MANUAL = """computes {protocol} checksums of IPv6 packets

    For {protocol} packets whose contents or addresses have been changed by elements that don't update checksums. The packet's
    IPv6 header must be marked (CheckIP6Header, MarkIP6Header); {protocol} follows it or at most 8 extension headers, and the sum
    reaches as far as the payload length says. With a routing header, the sum contains the final destination (RFC 8200, 8.1).{more}

    A packet without a whole {protocol} message is dropped: another protocol, a fragment, or a packet shorter than its headers
    say; the runtime reports this on standard error. The runtime handles more than 4095 bytes. Click has no such element.

    Example: FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> StoreIP6Address(2001:db8::1, 8) -> {name} -> Discard;
    """


class SetChecksum6(Element):
    """Base of the classes."""

    #: The protocol's number, its shortest message, and the offset of the checksum.
    protocol: ClassVar[int]
    least: ClassVar[int]
    at: ClassVar[int]
    weight = 600
    derived = {
        "protocol": ("int", lambda self: self.protocol),
        "least": ("__u32", lambda self: self.least),
        "at": ("__u32", lambda self: self.at),
    }
