from clickbpf.declare import BEARS_OFFLOADS, MARKED, Enum, Reconfigurable, Required, Vars, u8, value_handlers

#: Values of the field (RFC 3168, section 5) by Click's words for them.
VALUES = {
    "0": 0, "1": 1, "2": 2, "3": 3,
    "no": 0, "-": 0, "ect1": 1, "ECT(1)": 1, "ect2": 2, "ECT(0)": 2, "ce": 3, "CE": 3,
}  # fmt: skip
WORDS = tuple(VALUES)
#: Words, as their numbers.
ECN = Enum(**{word: number for number, word in enumerate(WORDS)})

#: The manual pages of the class for each version of IP.
MANUAL = """sets the ECN field of {protocol} packets

    The field for explicit congestion notification (RFC 3168) is the lower 2 bits of the {field}.
    A packet without a marked {protocol} header (Check{ip}Header, Mark{ip}Header) is dropped.

    Example: FromDevice(eth0) -> Strip(14) -> Check{ip}Header -> {name}(ect2) -> Discard;
    """


class SetIPECN(Reconfigurable, traits=BEARS_OFFLOADS):
    __doc__ = MANUAL.format(name="SetIPECN", protocol="IP", ip="IP", field="TOS byte; the header's checksum is updated")
    same_form = True
    takes = (MARKED,)
    args = (Required("ECN", ECN, "0 to 3, or in words `no` (or `-`), `ect1` (or `ECT(1)`), `ect2` (or `ECT(0)`), `ce` (or `CE`)"),)
    replaced = {"ecn": "ECN"}
    #: `word` is the number of the word given for `value`.
    state_types = {"vars": Vars(value=u8, word=u8)}
    holds = ()

    def initialise(self) -> None:
        self._set(self.cfg.ecn)

    def _set(self, word: int) -> None:
        self.state.vars.value, self.state.vars.word = VALUES[WORDS[word]], word

    ecn = value_handlers(ECN, lambda self: WORDS[self.state.vars.word], _set, text="the argument, as it was given.")
