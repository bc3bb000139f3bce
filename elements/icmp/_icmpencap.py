"""The base of ICMPIPEncap and ICMPPingEncap."""

from clickbpf.declare import ANEW, KEPT, Held, Vars

from ..ip._encap import ADDRESSED, Encap

ECHO = 8
#: Types with an identifier and a sequence number (RFC 792): echo, timestamp, information, and their replies.
NUMBERED = (0, ECHO, 13, 14, 15, 16)
#: Timestamps have 20 bytes, other headers 8.
TIMESTAMPS, TIMESTAMP_SIZE, SIZE = (13, 14), 20, 8


class ICMPEncap(Encap):
    """Base of both; `icmp_type` and `icmp_code` are those of the messages."""

    icmp_type, icmp_code = ECHO, 0
    state_types = {"vars": Vars(**ADDRESSED)}
    holds = (Held("the next identification", ANEW, KEPT),)
    weight = 350
    derived = {
        "type": ("__u8", lambda self: self.icmp_type),
        "code": ("__u8", lambda self: self.icmp_code),
        "size": ("__u32", lambda self: TIMESTAMP_SIZE if self.icmp_type in TIMESTAMPS else SIZE),
        "numbered": ("bool", lambda self: self.icmp_type in NUMBERED),
    }
