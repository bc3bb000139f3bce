"""Elements that send and answer management frames: frames as IEEE 802.11 lays them out, with the fields that Click sends."""

import pytest
from tests.elements.wifi.frames import (
    ACCESS_POINT,
    ASSOCIATION_REQUEST,
    ASSOCIATION_RESPONSE,
    AUTHENTICATION,
    BEACON,
    CHANNEL,
    DATA,
    DISASSOCIATION,
    ESS,
    EVERYBODY,
    MORE_RATES,
    PRIVACY,
    PROBE_REQUEST,
    PROBE_RESPONSE,
    RATES,
    SSID,
    STATION,
    TIM,
    element,
    frame,
    words,
)

pytestmark = pytest.mark.executors("native")

NETWORK = "net :: WirelessInfo(SSID home, BSSID 02:00:00:00:00:01, CHANNEL 11); rates :: AvailableRates({});"
SLOW, FAST = "DEFAULT 2 4 11 22", "DEFAULT 2 4 11 12 18 22 24 36 48 72 96 108"
HOME = element(SSID, b"home")
#: 1 Mbit/s is a basic rate (0x80), the others aren't said to be.
SLOW_RATES = element(RATES, b"\x82\4\x0b\x16")
FAST_RATES = element(RATES, b"\x82\4\x0b\x0c\x12\x16\x18\x24"), element(MORE_RATES, b"\x30\x48\x60\x6c")
#: Nobody's packets wait: count 0, period 1.
NO_TRAFFIC = element(TIM, b"\0\1\0\0")
ETH = "ETH 02:00:00:00:00:02"


def sent_by_access_point(control: int, body: bytes, to: bytes = STATION) -> bytes:
    return frame(control, body, to, ACCESS_POINT, ACCESS_POINT)


def sent_by_station(control: int, body: bytes) -> bytes:
    return frame(control, body, ACCESS_POINT, STATION, ACCESS_POINT)


def announced(channel: int, rates: bytes, more: bytes = b"", interval: int = 100) -> bytes:
    """The body of a beacon or a response to a probe."""
    return bytes(8) + words(interval, ESS) + HOME + rates + element(CHANNEL, bytes([channel])) + NO_TRAFFIC + more


@pytest.fixture
def network(element):
    """network("OpenAuthResponder(WIRELESS_INFO net)") is that element, in a router with the network."""
    return lambda text, rates=SLOW, **options: element(text, declarations=NETWORK.format(rates), **options)


def test_beacons(router):
    r = router(NETWORK.format(FAST) + "Idle -> BeaconSource(WIRELESS_INFO net, RT rates) -> Queue -> ToDevice(eth0);", simtime=True)
    r.advance(0.09)
    assert r.advance(0.02)
    r.expect("eth0", sent_by_access_point(BEACON, announced(11, *FAST_RATES), EVERYBODY))
    for handler, value in (("interval", "1000"), ("ssid", "work"), ("channel", "3")):
        r.write(f"net.{handler}", value)
    assert len(r.advance(0.1)) == 1
    wanted = announced(3, *FAST_RATES, interval=1000).replace(b"home", b"work")
    r.expect("eth0", sent_by_access_point(BEACON, wanted, EVERYBODY))
    assert not r.advance(0.8)
    assert len(r.advance(0.2)) == 1


RESPONDERS = {
    "BeaconSource(WIRELESS_INFO net, RT rates)": 100,
    "ProbeResponder(SSID home, BSSID 02:00:00:00:00:01, CHANNEL 11, INTERVAL 300, RT rates)": 300,
}


@pytest.mark.parametrize("responder", RESPONDERS)
def test_probes_are_answered(network, responder):
    x = network(responder)
    wanted = sent_by_access_point(PROBE_RESPONSE, announced(11, SLOW_RATES, interval=RESPONDERS[responder]))
    lies = bytes((SSID, 200)) + b"home"  # of 200 bytes, four are there
    for asks in (HOME, element(SSID, b""), b"", element(RATES, b"\2"), lies, element(SSID, b"work") + HOME):
        x.gives(sent_by_station(PROBE_REQUEST, asks), wanted)
    for other in (element(SSID, b"homes"), element(SSID, b"hom"), element(SSID, b"H" * 40)):
        x.send(sent_by_station(PROBE_REQUEST, other))
    x.drops(sent_by_station(BEACON, HOME), sent_by_station(DATA, HOME))
    assert x.dropped("FILTERED") == 5
    x.send(sent_by_station(PROBE_REQUEST, b"")[:23])
    assert x.dropped("MALFORMED") == 1


def test_a_responder_by_itself(network):
    """It has no second element for rates: fifteen of them are in the first one."""
    x = network("ProbeResponder(INTERVAL 1, RT rates)", "DEFAULT 12, 02:00:00:00:00:01 " + " ".join(map(str, range(1, 21))))
    assert (x.read("ssid"), x.read("bssid"), x.read("channel"), x.read("interval")) == ("\n", "00-00-00-00-00-00\n", "0\n", "1\n")
    for handler, value in (("ssid", "home"), ("bssid", "02:00:00:00:00:01"), ("channel", 200), ("interval", 100)):
        x.write(handler, value)
    x.send(sent_by_station(PROBE_REQUEST, HOME))
    rates = bytes(rate | 0x80 if rate == 2 else rate for rate in range(1, 16))
    x.expect(0, sent_by_access_point(PROBE_RESPONSE, announced(200, element(RATES, rates))))


def test_stations_associate(network):
    x = network("AssociationResponder(WIRELESS_INFO net, RT rates)", FAST)
    for number, asks in enumerate((HOME, element(SSID, b""), b"")):
        x.send(sent_by_station(ASSOCIATION_REQUEST, words(ESS, 10) + asks + SLOW_RATES))
        x.expect(0, sent_by_access_point(ASSOCIATION_RESPONSE, words(ESS, 0, 0xC000 | number) + b"".join(FAST_RATES)))
    x.drops(sent_by_station(ASSOCIATION_REQUEST, words(ESS, 10) + element(SSID, b"work")), sent_by_station(PROBE_REQUEST, HOME))
    assert x.dropped("FILTERED") == 2


def test_stations_are_authenticated(network):
    x = network("OpenAuthResponder(WIRELESS_INFO net)")
    x.gives(sent_by_station(AUTHENTICATION, words(0, 1, 0)), sent_by_access_point(AUTHENTICATION, words(0, 2, 0)))
    for wrong in (words(1, 1, 0), words(0, 2, 0), words(0), b""):
        x.send(sent_by_station(AUTHENTICATION, wrong))
    x.expect_nothing()
    assert x.dropped("FILTERED") == 4


REQUESTS = [
    ("OpenAuthRequester", "send_auth_req", "", sent_by_station(AUTHENTICATION, words(0, 1, 0))),
    ("AssociationRequester", "send_assoc_req", ", RT rates", sent_by_station(ASSOCIATION_REQUEST, words(ESS, 100) + HOME + SLOW_RATES)),
    ("ProbeRequester", "send_probe", ", RT rates", frame(PROBE_REQUEST, HOME + SLOW_RATES, EVERYBODY, STATION)),
]


@pytest.mark.parametrize("class_name, handler, more, wanted", REQUESTS)
def test_requests(router, class_name, handler, more, wanted):
    input = "" if class_name == "ProbeRequester" else "Idle -> "
    asks = f"x :: {class_name}({ETH}, WIRELESS_INFO net{more})"
    r = router(f"{NETWORK.format(SLOW)}{asks} -> Queue -> ToDevice(eth0); {input}x;", simtime=True)
    assert (r.read("x.eth"), r.read("x.debug")) == ("02-00-00-00-00-02\n", "false\n")
    r.write(f"x.{handler}")
    r.advance(0.01)
    r.expect("eth0", wanted)
    r.write("x.eth", "02:00:00:00:00:09")
    r.write(f"x.{handler}")
    r.advance(0.01)
    r.expect("eth0", wanted.replace(STATION, bytes.fromhex("02 00 00 00 00 09")))


def test_a_request_in_the_band_of_5_ghz(router):
    """6 Mbit/s is basic there, and as in Click what is eight places after it; and WEP is a capability."""
    r = router(
        NETWORK.format(FAST) + f"Idle -> x :: AssociationRequester({ETH}, WIRELESS_INFO net, RT rates) -> Queue -> ToDevice(eth0);",
        simtime=True,
    )
    r.write("net.channel", "36")
    r.write("net.wep", "true")
    r.write("x.send_assoc_req")
    r.advance(0.01)
    rates = element(RATES, b"\x82\4\x0b\x8c\x12\x16\x18\x24") + element(MORE_RATES, b"\x30\x48\x60\xec")
    r.expect("eth0", sent_by_station(ASSOCIATION_REQUEST, words(ESS | PRIVACY, 100) + HOME + rates))


def test_association(network):
    x = network(f"AssociationRequester({ETH}, WIRELESS_INFO net, RT rates)", "DEFAULT 2 4 11")
    assert x.read("associated") == "false\n"
    x.send(sent_by_access_point(ASSOCIATION_RESPONSE, words(ESS, 17, 0) + element(RATES, b"\x82\4\x16")))
    assert (x.read("associated"), x.read("rates.rates")) == ("false\n", "DEFAULT  2 4 11\n02-00-00-00-00-01  2 4\n")
    x.send(sent_by_access_point(ASSOCIATION_RESPONSE, words(ESS, 0, 0xC001) + bytes((RATES, 200)) + b"\x82"))
    assert (x.read("associated"), x.read("rates.rates")) == ("true\n", "DEFAULT  2 4 11\n02-00-00-00-00-01  2\n")
    x.send(frame(DISASSOCIATION, words(4), STATION, STATION, STATION))
    assert x.read("associated") == "true\n"
    x.send(sent_by_access_point(DISASSOCIATION, words(4)))
    assert x.read("associated") == "false\n"
    x.send(sent_by_access_point(ASSOCIATION_RESPONSE, words(ESS)))
    assert x.read("associated") == "false\n"
    x.expect_nothing()


def test_what_is_said(network, capfd):
    x = network("AssociationResponder(WIRELESS_INFO net, RT rates, DEBUG true)")
    x.send(sent_by_station(ASSOCIATION_REQUEST, words(ESS | PRIVACY, 10) + HOME + element(RATES, b"\x82\4\x0b")))
    x.send(sent_by_station(ASSOCIATION_REQUEST, words(ESS, 10) + element(SSID, b"wor\x1b[2J")))
    at = "x :: AssociationResponder: "
    addresses = "src 02-00-00-00-00-02 dst 02-00-00-00-00-01 bssid 02-00-00-00-00-01"
    assert capfd.readouterr().err.splitlines() == [
        f"{at}request {addresses}[ ESS PRIVACY ]  listen_int 10 ( {{ 2 }} 4 11 )",
        f"{at}association 02-00-00-00-00-02 associd 49152",
        f"{at}other ssid wor.[2J wanted home",
    ]


def test_frames_without_end_are_not_reported_without_end(network, capfd):
    x = network("AssociationResponder(WIRELESS_INFO net, RT rates)")
    for _ in range(150):
        x.gives(sent_by_station(ASSOCIATION_REQUEST, words(ESS, 10)))
    assert len(capfd.readouterr().err.splitlines()) == 100


def test_names_of_the_network(network):
    x = network("OpenAuthResponder(WIRELESS_INFO net)")
    assert [x.read(f"net.{h}") for h in ("ssid", "bssid", "channel", "interval", "wep")] == [
        "home\n", "02-00-00-00-00-01\n", "11\n", "100\n", "false\n"
    ]  # fmt: skip
    x.write("net.ssid", "x" * 32)
    x.refuses("net.ssid", "x" * 33, "33 bytes")
    assert x.read("net.ssid") == "x" * 32 + "\n"
    x.write("net.bssid", "02:00:00:00:00:07")
    x.send(sent_by_station(AUTHENTICATION, words(0, 1, 0)))
    other = bytes.fromhex("02 00 00 00 00 07")
    x.expect(0, frame(AUTHENTICATION, words(0, 2, 0), STATION, other, other))
    x.write("net.reset")
    assert [x.read(f"net.{h}") for h in ("ssid", "bssid", "channel", "interval")] == ["\n", "00-00-00-00-00-00\n", "-1\n", "100\n"]


def test_frames_have_the_networks_address(element):
    x = element("WifiEncap(1, WIRELESS_INFO net)", declarations=NETWORK.format(SLOW))
    x.send(STATION + ACCESS_POINT + b"\x08\0inside")
    seen = x.expect(0).data
    assert seen[4:10] == ACCESS_POINT
    x.write("net.bssid", "02:00:00:00:00:07")
    x.send(STATION + ACCESS_POINT + b"\x08\0inside")
    assert x.expect(0).data == seen[:4] + bytes.fromhex("02 00 00 00 00 07") + seen[10:]


@pytest.mark.parametrize(
    "wrong, said",
    [
        ("ProbeResponder(RT rates)", "INTERVAL must be >0"),
        (f"ProbeResponder(RT rates, INTERVAL 1, SSID {'x' * 33})", "SSID is 33 bytes long"),
    ],
)
def test_mistakes(refused_router, wrong, said):
    assert said in refused_router(f"{NETWORK.format(SLOW)} Idle -> {wrong} -> Discard;")
