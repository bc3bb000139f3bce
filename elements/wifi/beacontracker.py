from __future__ import annotations

import ctypes
from enum import IntEnum

from clickbpf.args import Integer, Keyword
from clickbpf.vocabulary.element import AGNOSTIC, control_handler, read_handler
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import Array, Vars, s64, u8, u16, u32

from ._info import WIRELESS_INFO
from ._management import DEBUG, INFO_TEXT, Manager

MOST = 1 << 20


class Operation(IntEnum):
    """Of CONTROL."""

    #: Forget old beacons; store since when beacons are counted, in ns, where the argument points.
    TRIM = 0
    RESET = 1


class BeaconTracker(Manager):
    __doc__ = f"""counts the beacons of an access point

    Synopsis: `BeaconTracker(WIRELESS_INFO ..., TRACK ... [, DEBUG ..., CAPACITY ...])`

    Beacons and responses to probes of the access point pass, and those received within the last TRACK beacon intervals are counted.
    Other packets are dropped.

    Arguments:

      {INFO_TEXT} The access point is its BSSID.
      - TRACK: a number of beacon intervals. Default is 10.
      - DEBUG: Boolean. Means nothing.
      - CAPACITY: how many beacons are counted at most. Default is 4096.

    Ports: one input, one output.

    Handlers:

      - `stats` (read): how many beacons were counted, in percent of TRACK; soon after the start, of the milliseconds since then.
      - `track`, `beacon_interval` (read): TRACK, and the interval of the last beacon, in units of 1.024 ms.
      - `reset` (write): begins anew.
      - `debug` (read, write): DEBUG.

    Example:

        there :: WirelessInfo(BSSID 02:00:00:00:00:01);
        FromDevice(eth0) -> RadiotapDecap -> Classifier(0/80%f0) -> BeaconTracker(WIRELESS_INFO there, TRACK 10) -> Discard;
    """

    processing = AGNOSTIC
    entries = ("init", "control")
    enums = (Operation,)
    annotations = ("TIMESTAMP",)
    args = (
        DEBUG,
        WIRELESS_INFO,
        Keyword("TRACK", Integer(32, signed=True), 10),
        Keyword("CAPACITY", Integer(32, low=1, high=MOST), 4096),
    )
    state_types = {
        "vars": Vars(start=s64, first=u32, count=u32, interval=u16, debug=u8),
        "beacons": Array(lambda element: element.cfg.capacity, came_at=s64),
    }
    holds = (Held("beacons", ANEW, ANEW),)

    @read_handler
    def stats(self) -> str:
        since = (ctypes.c_uint64 * 1)()
        if self.runtime is not None:
            self.runtime.control(Operation.TRIM, since)
        expected = min(since[0] // 10**6, self.cfg.track)
        return f"{self.state.vars.count * 100 // expected if expected else 0}\n"

    @read_handler
    def track(self) -> str:
        return f"{self.cfg.track}\n"

    @read_handler
    def beacon_interval(self) -> str:
        return f"{self.state.vars.interval}\n"

    reset = control_handler(Operation.RESET)
