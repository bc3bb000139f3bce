from clickbpf.declare import MARKED

from ..common._headercheck import KERNEL_PSEUDO, TRANSPORT_MANUAL, HeaderCheck


class CheckTCPHeader(HeaderCheck):
    __doc__ = TRANSPORT_MANUAL.format(
        protocol="TCP",
        about="""A packet is good if it is TCP in IP, has all the bytes that its IP header says, of these at least as many as its TCP
    header says, which are 20 or more, and a right checksum.""",
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
