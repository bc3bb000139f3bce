from clickbpf.declare import MARKED

from ..common._headercheck import KERNEL_PSEUDO, TRANSPORT_MANUAL, HeaderCheck


class CheckUDPHeader(HeaderCheck):
    __doc__ = TRANSPORT_MANUAL.format(
        protocol="UDP",
        about="""A packet is good if it is UDP in IP, is at least as long as its UDP header says, which is 8 bytes or more, and has
    a correct checksum, or none.""",
        kernel=KERNEL_PSEUDO,
    )
    takes = (MARKED,)
    subject = "UDP"
    title = ""
    reasons = {
        "NOT_UDP": "not UDP",
        "LENGTH": "bad packet length",
        "CHECKSUM": "bad UDP checksum",
    }
    weight = 350
