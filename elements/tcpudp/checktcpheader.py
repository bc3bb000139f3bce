from clickbpf.declare import MARKED

from ..common._headercheck import KERNEL_PSEUDO, TRANSPORT_MANUAL, HeaderCheck


class CheckTCPHeader(HeaderCheck):
    __doc__ = TRANSPORT_MANUAL.format(
        protocol="TCP",
        about="""A packet is good if it is TCP in IP, is at least as long as its IP header says, contains the whole TCP header, of
    at least 20 bytes, and has a correct checksum.""",
        kernel=KERNEL_PSEUDO,
    )
    takes = (MARKED,)
    subject = "TCP"
    title = "{declaration}: "
    reasons = {
        "NOT_TCP": "not TCP",
        "LENGTH": "bad packet length",
        "CHECKSUM": "bad TCP checksum",
    }
    weight = 350
