from __future__ import annotations

import ctypes
from enum import IntEnum

from clickbpf.args import ArgError, Ether, EtherAddress, Rest
from clickbpf.vocabulary.element import USER, read_handler, write_handler
from clickbpf.vocabulary.held import ANEW, KEPT, Held
from clickbpf.vocabulary.state import Private, u8, u32

from ..common._table import COPY, TABLE, capacity, copy_rows
from ._extra import Debugged
from ._rates import DEFAULT, MOST_RATES, Rates, StationRates, rates_of


class Operation(IntEnum):
    """Of CONTROL: all but COPY take a Station."""

    COPY = COPY
    #: Enter a station as it is, in the place of what is known of it.
    ENTER = 1
    REMOVE = 2


class Station(ctypes.Structure):
    """An entry of the table, whose address is the key's first six bytes; one that `stays` makes no room for others."""

    _fields_ = (("address", ctypes.c_uint8 * 8), ("rates", Rates), ("stays", ctypes.c_uint64))

    def __str__(self) -> str:
        return f"{Ether(bytes(self.address)[:6])} {self.rates}\n"


class AvailableRates(Debugged):
    """stores at which rates stations can send

    Synopsis: `AvailableRates([STATION, ..., CAPACITY ...])`

    Elements that are given its name by their argument RT look up rates here, and enter those of access points and stations that
    they hear of. Of these rates only those among the default ones are entered, if there are default ones.

    Arguments:

      - STATION: a station's Ethernet address and its rates in units of 500 kbit/s, from the lowest to the highest, or DEFAULT and the rates
        of stations without an entry, as in `DEFAULT 2 4 11 22`. At most 23 rates.
      - CAPACITY: how many stations are remembered. If there are more, one that was heard of before is forgotten, but none that was
        configured. Default is 4096.

    Ports: none.

    Handlers:

      - `rates` (read): a line for each station: its address and its rates; first DEFAULT with the default ones.
      - `insert` (write): a station and its rates, as an argument.
      - `remove` (write): an address that is forgotten.
      - `debug` (read, write): true or false; means nothing.

    Example:

        rates :: AvailableRates(DEFAULT 2 4 11 22);
        here :: WirelessInfo(SSID home, BSSID 02:00:00:00:00:01, CHANNEL 6);
        Idle -> BeaconSource(WIRELESS_INFO here, RT rates) -> Queue -> ToDevice(eth0);
    """

    ports = "0/0"
    runs = USER
    entries = ("control", "cleanup")
    enums = (Operation,)
    args = (Rest("STATION", StationRates()), capacity(4096))
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

    def take_state(self, before: AvailableRates) -> None:
        for row in copy_rows(before, before.state.known.table, Station):
            self.runtime.control(Operation.ENTER, (Station * 1)(row))

    def _set_default(self, rates: tuple[int, ...]) -> None:
        self.state.known.usual[:] = bytes(rates_of(rates))

    def _enter(self, address: Ether, rates: Rates) -> None:
        self._control(Operation.ENTER, Station(tuple(address), rates, True))

    def _control(self, operation: Operation, station: Station) -> None:
        if self.runtime is None:
            raise ArgError("the runtime, which keeps the table, is not running")
        self.runtime.control(operation, (Station * 1)(station))

    @read_handler("rates")
    def read_rates(self) -> str:
        usual = Rates.from_buffer_copy(self.state.known.usual)
        first = f"{DEFAULT} {usual}\n" if usual.count else ""
        return first + "".join(map(str, copy_rows(self, self.state.known.table, Station)))

    @write_handler
    def insert(self, text: str) -> None:
        address, rates = StationRates().parse(text.strip(), self.context)
        if address is None:
            self._set_default(rates)
        else:
            self._enter(address, rates_of(rates))

    @write_handler
    def remove(self, text: str) -> None:
        self._control(Operation.REMOVE, Station(tuple(EtherAddress().parse(text.strip(), self.context))))
