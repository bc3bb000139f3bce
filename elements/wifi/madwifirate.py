from typing import Any

from clickbpf.declare import ANEW, Bool, Held, Integer, Keyword, State, Vars, field_handlers, u8, u32, u64

from ..common._rows import ether
from ._extra import FlagLine, Line
from ._management import RT
from ._ratecontrol import PORTS_TEXT, VARS, RateControl
from ._rates import Rates


class MadwifiRate(RateControl):
    __doc__ = f"""chooses the rate for each station by the successes and failures in a period

    Sets rates and numbers of tries in the annotation WIFI_EXTRA: the chosen rate and the three slower ones, as the Madwifi driver did.
    A station begins at 24 Mbit/s, or 11 Mbit/s, or its lowest rate. After each period its rate is lowered if no packet arrived, or
    if more than ten packets needed more than one retry on average. It is raised after ten periods with more than ten packets, none
    lost and fewer than a tenth retried.

    Ports: {PORTS_TEXT}

    Handlers:

      - `rates` (read): a line for each station: its address, its rate, and the counts of this period.

    Example:

        rates :: AvailableRates(DEFAULT 2 4 11 22);
        FromDevice(eth0) -> WifiEncap(0) -> rate :: MadwifiRate(OFFSET 4, RT rates) -> RadiotapEncap -> Queue -> ToDevice(eth1);
        FromDevice(eth1) -> RadiotapDecap -> sent :: FilterTX -> Discard;
        sent[1] -> [1]rate[1] -> Discard;
    """

    args = (
        *RateControl.args,
        RT,
        Keyword("ALT_RATE", Bool(), False, "whether packets sent at another than the first rate count as lost"),
        Keyword("PERIOD", Integer(32, signed=True, low=1), 1000, "in milliseconds"),
    )
    state_types = {**RateControl.state_types, "vars": Vars(**VARS, stepup=u32, stepdown=u32, alt_rate=u8)}
    holds = (Held("rates of stations", ANEW, ANEW),)
    row = State(address=u64, rates=Rates, successes=u32, failures=u32, retries=u32, credits=u32, number=u64)

    alt_rate = field_handlers("vars", FlagLine(), text="ALT_RATE. `stepup`, `stepdown`: numbers without effect")
    stepup = field_handlers("vars", Line(32))
    stepdown = field_handlers("vars", Line(32))

    def line(self, row: Any) -> str:
        counts = f"successes {row.successes} failures {row.failures} retries {row.retries} credits {row.credits}"
        return f"{ether(row)} {row.rates.rate[row.number]} {counts}\n"
