"""BeaconScanner and BeaconTracker: beacons as IEEE 802.11 (9.3.3.2) lays them out, and some that lie about their lengths."""

import re

import pytest
from tests.elements.wifi.frames import (
    ACCESS_POINT,
    ASSOCIATION_RESPONSE,
    BEACON,
    CHANNEL,
    DATA,
    ESS,
    EVERYBODY,
    MORE_RATES,
    PRIVACY,
    PROBE_RESPONSE,
    RATES,
    SSID,
    element,
    frame,
    words,
)

pytestmark = pytest.mark.executors("native")

TABLE = "rates :: AvailableRates; net :: WirelessInfo(BSSID 02:00:00:00:00:01, CHANNEL {});"
NAME = element(SSID, b"home")


def beacon(elements: bytes, sender: bytes = ACCESS_POINT, control: int = BEACON, abilities: int = ESS, interval: int = 100) -> bytes:
    return frame(control, bytes(8) + words(interval, abilities) + elements, EVERYBODY, sender, sender)


@pytest.fixture
def scanner(element):
    """scanner(arguments) is a BeaconScanner with these arguments; the network's channel is 6, or another one."""
    return lambda arguments="", channel=6: element(f"BeaconScanner(RT rates{arguments})", declarations=TABLE.format(channel))


def scanned(scanner) -> str:
    """What it shows, without the time."""
    return re.sub(r"last_rx \d+\.\d+", "last_rx T", scanner.read("scan"))


def test_what_is_scanned(scanner):
    x = scanner()
    sent = beacon(
        NAME + element(RATES, b"\x82\x84\x0b\x16") + element(CHANNEL, b"\6") + element(MORE_RATES, b"\x8c\x12"), abilities=ESS | PRIVACY
    )
    x.passes(sent)
    first = "02-00-00-00-00-01 channel 6 rssi 0 ssid home beacon_interval 100 last_rx T "
    assert scanned(x) == first + "[ ESS PRIVACY ] ( { 2 4 12 } 11 22 18 )\n"
    assert x.read("rates.rates") == "02-00-00-00-00-01  2 4 11 22 12 18\n"
    x.send(beacon(element(SSID, b""), control=PROBE_RESPONSE, abilities=0, interval=200))
    wanted = "02-00-00-00-00-01 channel -1 rssi 0 ssid home beacon_interval 200 last_rx T [ ] ( { } )\n"
    assert (scanned(x), x.read("rates.rates")) == (wanted, "02-00-00-00-00-01 \n")
    x.write("reset")
    assert x.read("scan") == ""
    x.send(beacon(b""))
    assert " ssid (none) " in x.read("scan")


@pytest.mark.parametrize(
    "elements, name, rates",
    [
        (bytes((SSID, 255)) + b"ab", "ab", "( { } )"),
        (NAME + bytes((RATES, 255)) + b"\2\4", "home", "( { } 2 4 )"),
        (NAME + element(RATES, bytes(range(1, 21))), "home", "( { } 1 2 3 4 5 6 7 8 )"),
        (bytes((SSID,)), "(none)", "( { } )"),
        (element(SSID, b"x" * 60), "x" * 32, "( { } )"),
        (element(SSID, b"a\nb\x1b"), "a.b.", "( { } )"),
        (element(7, b"CH") + NAME + bytes(9), "(none)", "( { } )"),  # the last one counts
    ],
)
def test_elements_that_lie(scanner, elements, name, rates):
    x = scanner()
    x.send(beacon(elements))
    line = scanned(x)
    assert f" ssid {name} beacon_interval" in line and line.endswith(f"] {rates}\n")


def test_other_packets_pass(scanner):
    x = scanner()
    for other in (frame(DATA), frame(ASSOCIATION_RESPONSE), beacon(NAME)[:23], b""):
        x.passes(other)
    assert x.read("scan") == ""


@pytest.mark.parametrize("channel, seen", [(6, [6, None]), (0, [6, 11, None]), (-1, [])])
def test_channels(scanner, channel, seen):
    x = scanner(", WIRELESS_INFO net", channel)
    for number, says in enumerate((6, 11, None)):
        sent = beacon(b"" if says is None else element(CHANNEL, bytes([says])), b"\2\0\0\0\0" + bytes([number]))
        x.passes(sent)
    found = re.findall(r"channel (\S+)", x.read("scan"))
    assert found == ["-1" if says is None else str(says) for says in seen]


def test_networks_make_room_for_others(scanner):
    x = scanner(", CAPACITY 3")
    for number in range(50):
        x.send(beacon(NAME, b"\2\0\0\0\0" + bytes([number])))
    lines = x.read("scan").splitlines()
    assert len(lines) == 3 and any(line.startswith("02-00-00-00-00-31 ") for line in lines)


@pytest.fixture
def tracker(router):
    def make(arguments: str):
        return router(
            f"{TABLE.format(6)} FromDevice(eth0) -> x :: BeaconTracker(WIRELESS_INFO net, {arguments}) -> c :: Counter -> Discard;",
            simtime=True,
        )

    return make


def test_beacons_are_tracked(tracker):
    """Ten intervals are a second; half of the beacons arrive."""
    r = tracker("TRACK 10")
    assert (r.read("x.track"), r.read("x.stats"), r.read("x.beacon_interval")) == ("10\n", "0\n", "0\n")
    for _ in range(30):
        r.send("eth0", beacon(NAME, control=PROBE_RESPONSE))
        r.advance(0.2)
    assert (r.read("x.stats"), r.read("x.beacon_interval")) == ("50\n", "100\n")
    r.send("eth0", beacon(NAME, b"\2\0\0\0\0\7"))
    r.send("eth0", frame(DATA))
    assert r.read("c.count") == "30"
    r.advance(1)
    assert r.read("x.stats") == "0\n"
    r.send("eth0", beacon(NAME))
    r.write("x.reset")
    r.advance(0.002)
    assert r.read("x.stats") == "0\n"
    r.send("eth0", beacon(NAME))
    assert r.read("x.stats") == "50\n"  # one in two milliseconds


def test_tracked_beacons_are_bounded(tracker):
    r = tracker("TRACK 100, CAPACITY 7")
    r.advance(1)
    for _ in range(50):
        r.send("eth0", beacon(NAME, interval=65535))
    assert r.read("x.stats") == "7\n"


def test_what_is_said(router, capfd):
    r = router(f"{TABLE.format(6)} FromDevice(eth0) -> x :: BeaconTracker(WIRELESS_INFO net) -> Discard;")
    for sent in (frame(DATA), frame(ASSOCIATION_RESPONSE), b"short"):
        r.send("eth0", sent)
    assert capfd.readouterr().err.splitlines() == [
        f"x :: BeaconTracker: {said}"
        for said in ("received non-management packet", "received subtype 16 packet", "packet too small: 5 vs 24")
    ]


def test_station_table(router):
    r = router("x :: StationTable;")
    assert r.read("x.debug") == "false\n"
    r.write("x.debug", "true")
    assert r.read("x.debug") == "true\n"
