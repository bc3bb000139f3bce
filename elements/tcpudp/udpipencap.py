from __future__ import annotations

from clickbpf.vocabulary.alignment import WORD, AlignmentRule
from clickbpf.vocabulary.element import field_handlers

from ..ip._encap import Destination
from ._udpencap import MANUAL, PORT, UDPEncap, arguments


class UDPIPEncap(UDPEncap):
    __doc__ = MANUAL.format(
        name="UDPIPEncap",
        summary="puts packets into UDP and IP headers",
        more="",
        destination=" DST may be DST_ANNO, for each packet's destination\n        address annotation.",
        arguments="",
        handlers="""
    Handlers:

      - `src`, `sport`, `dst`, `dport` (read, write): the arguments.
""",
    )
    alignment = AlignmentRule((WORD,), gives=WORD, informed=True)
    destination = Destination()
    reconfigurable = True
    args = arguments(destination)

    def constants(self):
        return {"interval": ("__u32", "0")}

    sport = field_handlers("vars", PORT)
    dport = field_handlers("vars", PORT)
