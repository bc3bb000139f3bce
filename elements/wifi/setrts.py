from __future__ import annotations

from clickbpf.args import Bool, Integer, Required
from clickbpf.vocabulary.element import Element, read_handler, write_handler
from clickbpf.vocabulary.state import Vars, u8

NUMBER = Integer(32)


class SetRTS(Element):
    """sets whether packets are to be announced by RTS and CTS

    Synopsis: `SetRTS(RTS)`

    Sets or clears the flag for an exchange of RTS and CTS frames in the annotation WIFI_EXTRA, for ExtraEncap.

    Arguments:

      - RTS: Boolean. Whether to announce packets.

    Ports: one input, one output.

    Handlers:

      - `rts` (read, write): RTS, which is written as 0 or 1.

    Example:

        FromDevice(eth0) -> WifiEncap(0) -> SetRTS(true) -> ExtraEncap -> ToDump(out.pcap);
    """

    annotations = ("WIFI_EXTRA",)
    args = (Required("RTS", Bool()),)
    state_types = {"vars": Vars(rts=u8)}
    weight = 20

    def initialise(self) -> None:
        self.state.vars.rts = self.cfg.rts

    @read_handler("rts")
    def read_rts(self) -> str:
        return f"{Bool().unparse(bool(self.state.vars.rts))}\n"

    @write_handler("rts")
    def write_rts(self, text: str) -> None:
        self.state.vars.rts = NUMBER.parse(text.strip()) != 0
