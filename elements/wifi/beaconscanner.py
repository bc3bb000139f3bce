import ctypes

from clickbpf.declare import AGNOSTIC, ANEW, Ether, Held, Keyword, RequiredKeyword, read_handler

from ..common._rows import CAPACITY, RowsElement
from ..timestamps._time import unparse_timestamp
from ._info import LONGEST_NAME, WIRELESS_INFO
from ._management import DEBUG, RT, Manager
from ._rates import Rates

ABILITIES = ("ESS", "IBSS", "CF_POLLABLE", "CF_POLLREQ", "PRIVACY")
BASIC = 0x80


class Network(ctypes.Structure):
    """An entry of the table. The key's first six bytes are the address."""

    _fields_ = (
        ("address", ctypes.c_uint8 * 8), ("heard_at", ctypes.c_int64), ("abilities", ctypes.c_uint16), ("interval", ctypes.c_uint16),
        ("channel", ctypes.c_int16), ("rssi", ctypes.c_uint8), ("name_length", ctypes.c_uint8), ("name", ctypes.c_uint8 * LONGEST_NAME),
        ("rates", Rates),
    )  # fmt: skip

    def line(self, now: int) -> str:
        name = "".join(chr(c) if 32 <= c < 127 else "." for c in bytes(self.name)[: self.name_length])
        abilities = "".join(f"{ability} " for bit, ability in enumerate(ABILITIES) if self.abilities >> bit & 1)
        rates = self.rates.rate[: self.rates.count]
        basic, others = ("".join(f"{r & ~BASIC} " for r in rates if bool(r & BASIC) == wanted) for wanted in (True, False))
        return (
            f"{Ether(bytes(self.address)[:6])} channel {self.channel} rssi {self.rssi} ssid {name or '(none)'} "
            f"beacon_interval {self.interval} last_rx {unparse_timestamp(now - self.heard_at)} [ {abilities}] ( {{ {basic}}} {others})\n"
        )


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
    row = Network

    @read_handler
    def scan(self) -> str:
        """a line for each access point: BSSID, channel or -1, signal strength, name, beacon interval, seconds since its last beacon, its
        capabilities, its basic rates in braces, and its other rates. Unprintable characters of a name are dots.
        """
        return "".join(row.line(self.runtime.clock) for row in self.copied())
