from clickbpf.declare import MARKED

from ..common._headercheck import TRANSPORT_MANUAL, HeaderCheck


class CheckICMPHeader(HeaderCheck):
    __doc__ = TRANSPORT_MANUAL.format(
        protocol="ICMP",
        about="""A packet is good if it is ICMP in IP, has a right checksum, and is at least 8 bytes long or as long as its type
    requires: an error message has at least 28 more bytes, of the packet that it quotes; a timestamp or its reply has 20 bytes, an
    information request or its reply 8. All bytes up to the packet's end are taken for the message.""",
        kernel="The kernel path hands over messages of more than 4095 bytes.",
    )
    takes = (MARKED,)
    subject = "ICMP"
    title = "{declaration}: "
    reasons = {
        "NOT_ICMP": "not ICMP",
        "LENGTH": "bad packet length",
        "CHECKSUM": "bad ICMP checksum",
    }
    weight = 350
