from enum import IntEnum

from clickbpf.declare import ArgError, Bool, Optional, Raw, Reconfigurable, Required, String, Vars, u8, u32, value_handlers

from ..common._warning import warn
from ._probability import ONE, PROBABILITY


class Kind(IntEnum):
    """The change to a bit."""

    CLEAR, SET, FLIP = range(3)


class RandomBitErrors(Reconfigurable):
    """changes bits of packets with some probability

    Each bit of each packet is changed with probability P, independently of the others. The kernel path hands over all packets while
    the element is active and P isn't 0.

    Example: does the peer notice?

        FromDevice(eth0) -> RandomBitErrors(0.00001) -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("P", PROBABILITY, "the probability, a number from 0 to 1"),
        Optional("KIND", String(), "flip", "`flip` to invert the bit, `set` to make it 1, `clear` to make it 0. Default flip"),
        Optional("ACTIVE", Bool(), True, "false to pass packets unchanged", setting="vars"),
    )
    enums = (Kind,)
    state_types = {"vars": Vars(probability=u32, kind=u8, active=u8)}
    holds = ()

    def configure(self) -> None:
        self.kind = _kind(self.cfg.kind)
        _check(self.cfg.p)
        if not self.cfg.p:
            warn(self, "zero bit error probability (underflow?)")

    def initialise(self) -> None:
        super().initialise()
        self._set(self.cfg.p, self.kind)

    def _set(self, probability: int, kind: int) -> None:
        self.state.vars.probability, self.state.vars.kind = probability, kind

    p_bit_error = value_handlers(
        PROBABILITY, lambda self: self.state.vars.probability, lambda self, p: self._set(_check(p), self.state.vars.kind), argument="P"
    )
    error_kind = value_handlers(
        Raw(), lambda self: Kind(self.state.vars.kind).name.lower(), lambda self, word: self._set(self.state.vars.probability, _kind(word))
    )


def _check(probability: int) -> int:
    if probability > ONE:
        raise ArgError("drop probability must be between 0 and 1", argument="P")
    return probability


def _kind(text: str) -> Kind:
    """An empty text means the default."""
    for kind in Kind:
        if kind.name.lower() == (text or "flip"):
            return kind
    raise ArgError(f"bad action '{text}' (must be 'set', 'clear', or 'flip')", argument="KIND")
