"""WifiEncap and WifiDecap, as scapy and IEEE 802.11 (table 9-60, address fields of data frames) have it."""

import pytest
from scapy.layers.dot11 import Dot11, Dot11QoS, RadioTap
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import LLC, SNAP, Ether
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach

SOURCE, DESTINATION, BSSID = "02:00:00:00:00:11", "02:00:00:00:00:22", "02:00:00:00:00:33"
OTHER = "02:00:00:00:00:44"
INSIDE = IP(src="10.0.0.1", dst="10.0.0.2") / UDP() / b"data"
FRAME = Ether(src=SOURCE, dst=DESTINATION) / INSIDE
SNAPPED = LLC(dsap=0xAA, ssap=0xAA, ctrl=3) / SNAP(OUI=0, code=0x0800) / INSIDE
#: What MODE says, and the addresses of frames that go this way.
WAYS = [
    (0, {"addr1": DESTINATION, "addr2": SOURCE, "addr3": BSSID}),
    (1, {"addr1": BSSID, "addr2": SOURCE, "addr3": DESTINATION}),
    (2, {"addr1": DESTINATION, "addr2": BSSID, "addr3": SOURCE}),
    (3, {"addr1": BSSID, "addr2": SOURCE, "addr3": DESTINATION, "addr4": SOURCE}),
]


def wireless(way: int, flags: int = 0, **addresses) -> bytes:
    return bytes(Dot11(type=2, subtype=0, FCfield=way | flags, **addresses) / SNAPPED)


@pytest.mark.parametrize("padded, qos, between", [(padded, qos, 0) for padded in (0, 1) for qos in (0, 1)] + [(1, 0, 1), (1, 1, 1)])
def test_padded_headers(element, padded, qos, between):
    """Radiotap's flag 0x20: headers of 26, 30 and 32 bytes take 28, 32 and 32."""
    way, addresses = WAYS[3 if between else 0]
    header = bytes(Dot11(type=2, subtype=8 * qos, FCfield=way, **addresses)) + (bytes(Dot11QoS(TID=5)) if qos else b"")
    padding = bytes(-len(header) % 4 if padded else 0)
    x = element("WifiDecap", before="RadiotapDecap")
    x.gives(bytes(RadioTap(present="Flags", Flags=0x20 * padded)) + header + padding + bytes(SNAPPED), FRAME)


def test_encrypted_and_short_frames_are_dropped(element):
    x = element("WifiDecap")
    x.send(wireless(0, flags=0x40, **WAYS[0][1]))
    for way, addresses in WAYS:
        headers = 32 + 6 * (way == 3)
        x.send(wireless(way, **addresses)[: headers - 1])
    x.expect_nothing()
    assert (x.dropped("FILTERED"), x.dropped("MALFORMED")) == (1, 4)


def test_other_headers_than_snap(element):
    wrong = bytearray(wireless(0, **WAYS[0][1]))
    wrong[29] = 1
    x = element("WifiDecap")
    x.gives(bytes(wrong), FRAME)
    x.close()
    x = element("WifiDecap(STRICT true)")
    x.drops(bytes(wrong))
    x.gives(wireless(0, **WAYS[0][1]), FRAME)


TRIALS = {
    "encapsulation": [Trial(f"WifiEncap({way}, {BSSID})").gives(FRAME, wireless(way, **addresses)) for way, addresses in WAYS],
    "decapsulation": [
        Trial("WifiDecap").gives(wireless(way, **addresses), FRAME, mac=0, network=14)
        for way, addresses in [*WAYS, (3, {"addr1": BSSID, "addr2": OTHER, "addr3": DESTINATION, "addr4": SOURCE})]
    ],
    "frames with quality of service": Trial("WifiDecap")
        .gives(bytes(Dot11(type=2, subtype=8, FCfield=1, **WAYS[1][1]) / Dot11QoS(TID=5) / SNAPPED), FRAME),
    "without an ethernet header": Trial("WifiDecap(ETHER false)").gives(wireless(0, **WAYS[0][1]), bytes(INSIDE)),
}

CASES = [
    Case(text, packets=400)
    for text in ["WifiEncap(0)", "WifiEncap(1)", "WifiEncap(3)", "WifiDecap", "WifiDecap(STRICT true, ETHER false)"]
]

PUNTS = [Reach("WifiEncap(0)", before=FULL)]
