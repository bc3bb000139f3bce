"""UDPIPEncap: fixed UDP and IP headers."""

from __future__ import annotations

from clickbpf.vocabulary.alignment import WORD, AlignmentRule
from clickbpf.vocabulary.element import read_handler, write_handler

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

    @read_handler
    def sport(self) -> str:
        return str(self.state.vars.sport)

    @write_handler("sport")
    def set_sport(self, text: str) -> None:
        self.state.vars.sport = PORT.parse(text.strip(), self.context)

    @read_handler
    def dport(self) -> str:
        return str(self.state.vars.dport)

    @write_handler("dport")
    def set_dport(self, text: str) -> None:
        self.state.vars.dport = PORT.parse(text.strip(), self.context)
