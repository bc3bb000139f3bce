from typing import Any

from clickbpf.declare import ANEW, Bool, Held, Keyword, State, Vars, s32, u32, u64

from ..common._rows import ether
from ._extra import Line
from ._management import RT
from ._ratecontrol import PORTS_TEXT, VARS, RateControl
from ._rates import Rates

STEPS = Line(32, signed=True)


class AutoRateFallback(RateControl):
    __doc__ = f"""chooses the rate for each station by its last successes and failures

    Sets rates and numbers of tries in the annotation WIFI_EXTRA: the chosen rate and the three slower ones. A station begins at its
    highest rate. A packet that was lost, or sent at another than the first rate, lowers the rate by one step less than half its
    retries; more than STEPUP consecutive packets without retries raise it (A. Kamerman and L. Monteban, WaveLAN-II, 1997).

    Ports: {PORTS_TEXT}

    Example:

        rates :: AvailableRates(DEFAULT 2 4 11 22);
        FromDevice(eth0) -> WifiEncap(0) -> rate :: AutoRateFallback(OFFSET 4, RT rates) -> RadiotapEncap -> Queue -> ToDevice(eth1);
        FromDevice(eth1) -> RadiotapDecap -> sent :: FilterTX -> Discard;
        sent[1] -> [1]rate[1] -> Discard;
    """

    args = (
        *RateControl.args,
        RT,
        Keyword("ADAPTIVE_STEPUP", Bool(), True, "whether a failure after a step up doubles STEPUP for the station, until a success"),
        Keyword("STEPUP", STEPS, 10, "a number of packets. Default is 10", setting="vars"),
        Keyword("STEPDOWN", STEPS, 1, "an integer without effect. Default is 1", setting="vars"),
    )
    state_types = {**RateControl.state_types, "vars": Vars(**VARS, stepup=s32, stepdown=s32)}
    holds = (Held("rates of stations", ANEW, ANEW),)
    row = State(address=u64, rates=Rates, successes=s32, stepup=s32, number=u32, went_up=u32)

    def line(self, row: Any) -> str:
        return f"{ether(row)} {row.rates.rate[row.number]} {row.successes}\n"
