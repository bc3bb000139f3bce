from clickbpf.declare import Bool, Element, Integer, Required, Vars, read_handler, u8, write_handler

NUMBER = Integer(32)


class SetRTS(Element):
    """sets whether packets are to be announced by RTS and CTS

    Sets or clears the flag for an exchange of RTS and CTS frames in the annotation WIFI_EXTRA, for ExtraEncap.

    Example:

        FromDevice(eth0) -> WifiEncap(0) -> SetRTS(true) -> ExtraEncap -> ToDump(out.pcap);
    """

    annotations = ("WIFI_EXTRA",)
    args = (Required("RTS", Bool(), "Boolean. Whether to announce packets"),)
    state_types = {"vars": Vars(rts=u8)}

    def initialise(self) -> None:
        self.state.vars.rts = self.cfg.rts

    @read_handler("rts")
    def read_rts(self) -> str:
        """RTS, which is written as 0 or 1."""
        return f"{Bool().unparse(bool(self.state.vars.rts))}\n"

    @write_handler("rts")
    def write_rts(self, text: str) -> None:
        self.state.vars.rts = NUMBER.parse(text.strip()) != 0
