import ctypes

from clickbpf.declare import (
    ANEW, KEPT, USER, ArgError, Ether, EtherAddress, Held, Private, Rest, Self, read_handler, u8, u32, write_handler,
)

from ..common._table import TABLE, capacity, copy_rows
from ._extra import Debugged
from ._rates import DEFAULT, MOST_RATES, Rates, StationRates, rates_of


class Station(ctypes.Structure):
    """An entry of the table. The key's first six bytes are the address; `stays` protects it from eviction."""

    _fields_ = (("address", ctypes.c_uint8 * 8), ("rates", Rates), ("stays", ctypes.c_uint64))

    def __str__(self) -> str:
        return f"{Ether(bytes(self.address)[:6])} {self.rates}\n"


class AvailableRates(Debugged, ports="0/0", runs=USER):
    """stores at which rates stations can send

    Elements with its name in their argument RT look up rates here, and enter the rates of access points and stations that they
    hear. If there are default rates, only rates among these are entered.

    Example:

        rates :: AvailableRates(DEFAULT 2 4 11 22);
        here :: WirelessInfo(SSID home, BSSID 02:00:00:00:00:01, CHANNEL 6);
        Idle -> BeaconSource(WIRELESS_INFO here, RT rates) -> Queue -> ToDevice(eth0);
    """

    #: All but COPY take a Station, which ENTER enters, or whose entry it replaces.
    operations = ("COPY", "ENTER", "REMOVE")
    args = (
        Rest("STATION", StationRates(), "a station's Ethernet address and its rates in units of 500 kbit/s, from the lowest to the "
            "highest, or DEFAULT and the rates for stations without an entry, as in `DEFAULT 2 4 11 22`. At most 23 rates"),
        capacity(4096, "how many stations are remembered. A further one replaces an earlier one, but never a configured one"),
    )
    state_types = {**Debugged.state_types, "known": Private(table=TABLE, hand=u32, usual=u8 * (1 + MOST_RATES))}
    holds = (Held("rates of stations", KEPT, ANEW),)

    def initialise(self) -> None:
        super().initialise()
        for address, rates in self.cfg.station:
            if address is None:
                self._set_default(rates)

    def started(self) -> None:
        for address, rates in self.cfg.station:
            if address is not None:
                self._enter(address, rates_of(rates))

    def take_state(self, before: Self) -> None:
        for row in copy_rows(before, before.state.known.table, Station):
            self.runtime.control("ENTER", (Station * 1)(row))

    def _set_default(self, rates: tuple[int, ...]) -> None:
        self.state.known.usual[:] = bytes(rates_of(rates))

    def _enter(self, address: Ether, rates: Rates) -> None:
        self._control("ENTER", Station(tuple(address), rates, True))

    def _control(self, operation: str, station: Station) -> None:
        if self.runtime is None:
            raise ArgError("the runtime, which keeps the table, is not running")
        self.runtime.control(operation, (Station * 1)(station))

    @read_handler("rates")
    def read_rates(self) -> str:
        """DEFAULT and the default rates, if any; then a line for each station, with its address and its rates."""
        usual = Rates.from_buffer_copy(self.state.known.usual)
        first = f"{DEFAULT} {usual}\n" if usual.count else ""
        return first + "".join(map(str, copy_rows(self, self.state.known.table, Station)))

    @write_handler
    def insert(self, text: str) -> None:
        """enters a station and its rates, given as an argument."""
        address, rates = StationRates().parse(text.strip(), self.context)
        if address is None:
            self._set_default(rates)
        else:
            self._enter(address, rates_of(rates))

    @write_handler
    def remove(self, text: str) -> None:
        """forgets the station with an address."""
        self._control("REMOVE", Station(tuple(EtherAddress().parse(text.strip(), self.context))))
