from clickbpf.declare import MARKED

from ..common._headercheck import TRANSPORT_MANUAL, HeaderCheck


class CheckICMPHeader(HeaderCheck):
    __doc__ = TRANSPORT_MANUAL.format(
        protocol="ICMP",
        about="""A packet is good if it is ICMP in IP, has at least 8 bytes of it, as many as its type wants, and a right checksum.
    An error message wants at least 28 more, of the packet that it is about; a timestamp or its reply are of 20
    bytes, an information request or its reply of 8. All bytes up to the packet's end are taken to be the message.""",
        kernel="Messages of more than 4095 bytes are left to the runtime.",
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
