from typing import Any

from clickbpf.declare import AGNOSTIC, ANEW, Held, Keyword, RequiredKeyword, State, read_handler, s32, s64, u8, u16, u64

from ..common._rows import CAPACITY, RowsElement, ether
from ..timestamps._time import unparse_timestamp
from ._info import LONGEST_NAME, WIRELESS_INFO
from ._management import DEBUG, RT, Manager
from ._rates import Rates

ABILITIES = ("ESS", "IBSS", "CF_POLLABLE", "CF_POLLREQ", "PRIVACY")
BASIC = 0x80


class BeaconScanner(RowsElement, Manager, processing=AGNOSTIC):
    """remembers from which access points beacons come

    Reads beacons and probe responses (IEEE 802.11, 9.3.3.2 and 9.3.3.10), and enters their rates into RT. All packets pass.

    Example:

        rates :: AvailableRates(DEFAULT 2 4 11 22);
        FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> air :: BeaconScanner(RT rates) -> Discard;
        DriverManager(wait_stop, print air.scan);
    """

    args = (
        DEBUG,
        Keyword("WIRELESS_INFO", WIRELESS_INFO.type, text="the WirelessInfo that describes the network. Then only beacons with its "
            "channel, or without a channel, count; all if its channel is 0, none if it is negative"),
        RequiredKeyword("RT", RT.type, "the AvailableRates with the rates of stations"),
        CAPACITY,
    )
    state_types = {**Manager.state_types, **RowsElement.state_types}
    holds = (Held("access points", ANEW, ANEW),)
    row = State(
        address=u64, heard_at=s64, abilities=u16, interval=u16, channel=s32, rssi=u8, name_length=u8, name=u8 * LONGEST_NAME, rates=Rates,
    )

    @read_handler
    def scan(self) -> str:
        """a line for each access point: BSSID, channel or -1, signal strength, name, beacon interval, seconds since its last beacon, its
        capabilities, its basic rates in braces, and its other rates. Unprintable characters of a name are dots.
        """
        return self.lines()

    def line(self, row: Any) -> str:
        name = "".join(chr(c) if 32 <= c < 127 else "." for c in bytes(row.name)[: row.name_length])
        abilities = "".join(f"{ability} " for bit, ability in enumerate(ABILITIES) if row.abilities >> bit & 1)
        rates = row.rates.rate[: row.rates.count]
        basic, others = ("".join(f"{r & ~BASIC} " for r in rates if bool(r & BASIC) == wanted) for wanted in (True, False))
        heard = unparse_timestamp(self.runtime.clock - row.heard_at)
        return (
            f"{ether(row)} channel {row.channel} rssi {row.rssi} ssid {name or '(none)'} "
            f"beacon_interval {row.interval} last_rx {heard} [ {abilities}] ( {{ {basic}}} {others})\n"
        )
