from clickbpf.declare import WORD, AlignmentRule, Reconfigurable, field_handlers

from ..ip._encap import REPLACED, Destination
from ._udpencap import MANUAL, PORT, UDPEncap, arguments


class UDPIPEncap(Reconfigurable, UDPEncap):
    __doc__ = MANUAL.format(
        name="UDPIPEncap",
        summary="puts packets into UDP and IP headers",
    )
    alignment = AlignmentRule((WORD,), gives=WORD, informed=True)
    destination = Destination()
    replaced = {**REPLACED, "sport": "SPORT", "dport": "DPORT"}
    args = arguments(destination, ". DST may be DST_ANNO, for each packet's destination address annotation")
    derived = {"interval": ("__u32", lambda self: 0)}

    sport = field_handlers("vars", PORT)
    dport = field_handlers("vars", PORT)
