import ctypes

from clickbpf.declare import AGNOSTIC, ANEW, Array, Held, Integer, Keyword, Vars, control_handler, read_handler, s64, u8, u16, u32

from ._info import WIRELESS_INFO
from ._management import DEBUG, Manager

MOST = 1 << 20


class BeaconTracker(Manager, processing=AGNOSTIC):
    """counts the beacons of an access point

    The access point's beacons and probe responses pass, and those received within the last TRACK beacon intervals are counted.
    Other packets are dropped.

    Example:

        there :: WirelessInfo(BSSID 02:00:00:00:00:01);
        FromDevice(eth0) -> RadiotapDecap -> Classifier(0/80%f0) -> BeaconTracker(WIRELESS_INFO there, TRACK 10) -> Discard;
    """

    #: TRIM forgets old beacons, and stores how long beacons have been counted, in ns, where the argument points.
    operations = ("TRIM", "RESET")
    annotations = ("TIMESTAMP",)
    args = (
        DEBUG,
        Keyword("WIRELESS_INFO", WIRELESS_INFO.type, text="the WirelessInfo that describes the network. The access point is its BSSID"),
        Keyword("TRACK", Integer(32, signed=True), 10, "a number of beacon intervals"),
        Keyword("CAPACITY", Integer(32, low=1, high=MOST), 4096, "the most beacons to count"),
    )
    state_types = {
        "vars": Vars(start=s64, first=u32, count=u32, interval=u16, debug=u8),
        "beacons": Array(lambda element: element.cfg.capacity, came_at=s64),
    }
    holds = (Held("beacons", ANEW, ANEW),)

    @read_handler
    def stats(self) -> str:
        """the counted beacons in percent of the expected ones: TRACK, or soon after the start, the milliseconds since then."""
        since = (ctypes.c_uint64 * 1)()
        if self.runtime is not None:
            self.runtime.control("TRIM", since)
        expected = min(since[0] // 10**6, self.cfg.track)
        return f"{self.state.vars.count * 100 // expected if expected else 0}\n"

    track = read_handler(lambda self: f"{self.cfg.track}\n", text="TRACK")
    beacon_interval = read_handler(
        lambda self: f"{self.state.vars.interval}\n", text="the interval of the last beacon, in units of 1.024 ms"
    )
    reset = control_handler("RESET", text="begins anew")
