from typing import Any

from clickbpf.declare import ANEW, ArgError, Array, Held, Integer, Keyword, Private, RequiredKeyword, State, Vars, s64, u8, u16, u32, u64

from ..common._rows import ether
from ..common._table import TABLE
from ..timestamps._time import unparse_timestamp
from ._management import RT
from ._ratecontrol import PORTS_TEXT, VARS, RateControl
from ._rates import MOST_RATES, Rates

MOST_RESULTS = 1 << 24
#: The results of packets at one rate, in the window.
TALLY = State(packets=u32, arrived=u32, lost=u32, perfect_time=u32, tries=u64, time=u64)
TALLY.struct.c_name = "struct SELF(tally)"


def _tallied(tally: Any) -> str:
    average = tally.time // tally.arrived if tally.arrived else 0
    tries = unparse_timestamp(tally.tries * 1000 // tally.packets * 10**6) if tally.packets else "0"
    return (
        f"success {tally.arrived} fail {tally.lost} tries {tally.tries} perfect_usecs {tally.perfect_time} "
        f"total_usecs {tally.time} average_usecs {average} average_tries {tries}"
    )


class ProbeTXRate(RateControl):
    __doc__ = f"""chooses the rate for each station that takes the least time, and tries others

    Synopsis: `ProbeTXRate(RT ..., WINDOW ... [, KEYWORD ...])`

    Sets rates and numbers of tries in the annotation WIFI_EXTRA. The chosen rate is the one with the least average time for each
    packet that arrived, retries included; before the first arrival, the highest one with fewer than three losses. Every tenth
    packet of a station is sent at a random other rate that could take less time (J. Bicket, Bit-rate Selection in Wireless
    Networks, 2005).

    Arguments:

      - THRESHOLD: lost packets shorter than this don't count. Default is 0.

    Ports: {PORTS_TEXT}

    Handlers:

      - `rates` (read): a line for each station, its address, and a line for each of its rates: packets that arrived and that were
        lost, tries, the time without retries, the total time, the average time and number of tries. Times are in microseconds.

    Example:

        rates :: AvailableRates(DEFAULT 2 4 11 22);
        FromDevice(eth0) -> WifiEncap(0) -> rate :: ProbeTXRate(OFFSET 4, WINDOW 10000, RT rates)
            -> RadiotapEncap -> Queue -> ToDevice(eth1);
        FromDevice(eth1) -> RadiotapDecap -> sent :: FilterTX -> Discard;
        sent[1] -> [1]rate[1] -> Discard;
    """

    args = (
        *RateControl.args,
        RequiredKeyword("RT", RT.type, "the AvailableRates with the rates of stations. No rate is chosen for a station without rates "
            "there"),
        Keyword("WINDOW", Integer(32, signed=True), 0, "how long reports are used, in milliseconds"),
        Keyword("RESULTS", Integer(32, low=1, high=MOST_RESULTS), 1 << 16, "how many reports are remembered, of all stations together. A "
            "new one then replaces its station's oldest"),
    )
    state_types = {
        "vars": Vars(**VARS),
        "rows": Private(table=TABLE, hand=u32, free=u32, made=u32),
        "results": Array(lambda element: element.cfg.results, at=s64, next=u32, time=u32, tries=u16, rate=u8, arrived=u8),
    }
    holds = (Held("rates of stations", ANEW, ANEW),)
    #: `count`: packets sent; `first` and `last`: results, as numbers from 1.
    row = State(address=u64, rates=Rates, count=u32, first=u32, last=u32, unused=u32, at_rate=TALLY.struct * MOST_RATES)

    def configure(self) -> None:
        if self.cfg.window <= 0:
            raise ArgError("WINDOW must be > 0", "as in WINDOW 10000, which is ten seconds", argument="WINDOW")

    def code(self) -> str:
        return TALLY.c_structure("SELF(tally)") + super().code()

    def line(self, row: Any) -> str:
        lines = (f" {row.rates.rate[i]} {_tallied(row.at_rate[i])}\n" for i in range(row.rates.count))
        return f"{ether(row)}\n{''.join(lines)}"
