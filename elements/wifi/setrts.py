from clickbpf.declare import NOWHERE, Bool, Context, Element, Integer, Required, Vars, field_handlers, u8

from ._extra import FlagLine


class NumberedFlag(FlagLine):
    """A truth value, written as a number."""

    def parse(self, text: str, context: Context = NOWHERE) -> bool:
        return Integer(32).parse(text) != 0


class SetRTS(Element):
    """sets whether packets are to be announced by RTS and CTS

    Sets or clears the flag for RTS/CTS in the annotation WIFI_EXTRA, for ExtraEncap.

    Example: FromDevice(eth0) -> WifiEncap(0) -> SetRTS(true) -> ExtraEncap -> ToDump(out.pcap);
    """

    annotations = ("WIFI_EXTRA",)
    args = (Required("RTS", Bool(), "Boolean. Whether to use RTS and CTS"),)
    state_types = {"vars": Vars(rts=u8)}

    rts = field_handlers("vars", NumberedFlag(), text="RTS, written as 0 or 1.")
