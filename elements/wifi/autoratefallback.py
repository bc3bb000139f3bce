from __future__ import annotations

import ctypes

from clickbpf.args import Bool, Ether, Keyword
from clickbpf.vocabulary.element import field_handlers
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import Vars, s32, u32

from ._extra import Line
from ._management import RT
from ._ratecontrol import COMMON_HANDLERS, COMMON_TEXT, PORTS_TEXT, VARS, RateControl
from ._rates import Rates

STEPS = Line(32, signed=True)


class Station(ctypes.Structure):
    """An entry of the table, whose address is the key's first six bytes."""

    _fields_ = (
        ("address", ctypes.c_uint8 * 8), ("rates", Rates), ("successes", s32), ("stepup", s32), ("number", u32), ("went_up", u32),
    )  # fmt: skip

    def __str__(self) -> str:
        return f"{Ether(bytes(self.address)[:6])} {self.rates.rate[self.number]} {self.successes}\n"


class AutoRateFallback(RateControl):
    __doc__ = f"""chooses the rate for each station by its last successes and failures

    Synopsis: `AutoRateFallback(RT ... [, KEYWORD ...])`

    Sets rates and numbers of tries in the annotation WIFI_EXTRA: the chosen rate and the three slower ones. A station begins at its
    highest rate. A packet that was lost, or was sent at another rate than the first one, makes the rate lower, by one less than half
    its retries; more than STEPUP packets in a row without retries make it higher (A. Kamerman and L. Monteban, WaveLAN-II, 1997).

    Arguments:

      {COMMON_TEXT}
      - STEPUP: a number of packets. Default is 10.
      - ADAPTIVE_STEPUP: whether a failure after a step up doubles STEPUP for the station, until a success. Default is true.
      - STEPDOWN: an integer that means nothing. Default is 1.
      - THRESHOLD: reports on packets shorter than this that arrived don't count. Default is 0.

    Ports: {PORTS_TEXT}

    Handlers:

      - `rates` (read): a line for each station: its address, its rate, and packets in a row without retries.
      {COMMON_HANDLERS}
      - `stepup`, `stepdown` (read, write): the arguments.

    Example:

        rates :: AvailableRates(DEFAULT 2 4 11 22);
        FromDevice(eth0) -> WifiEncap(0) -> rate :: AutoRateFallback(OFFSET 4, RT rates) -> RadiotapEncap -> Queue -> ToDevice(eth1);
        FromDevice(eth1) -> RadiotapDecap -> sent :: FilterTX -> Discard;
        sent[1] -> [1]rate[1] -> Discard;
    """

    args = (
        *RateControl.args,
        RT,
        Keyword("ADAPTIVE_STEPUP", Bool(), True),
        Keyword("STEPUP", STEPS, 10),
        Keyword("STEPDOWN", STEPS, 1),
    )
    state_types = {**RateControl.state_types, "vars": Vars(**VARS, stepup=s32, stepdown=s32)}
    holds = (Held("rates of stations", ANEW, ANEW),)
    row = Station

    stepup = field_handlers("vars", STEPS)
    stepdown = field_handlers("vars", STEPS)
