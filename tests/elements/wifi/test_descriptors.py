"""Headers of drivers in front of frames (linux-wlan-ng's, Madwifi's), and what is printed and counted of WIFI_EXTRA."""

import re
import struct

import pytest
from tests.elements.trials import Trial
from tests.elements.wifi.frames import DATA, STATION, frame

pytestmark = pytest.mark.executors("native")

EXTRA = struct.Struct("<II4B4B4BBBH")
MAGIC, SENT, LOST, BROKEN = 0x7492001, 1, 2, 8
FRAME = frame(DATA, b"inside")


def extra(rates=(0, 0, 0, 0), tries=(0, 0, 0, 0), flags=0, rssi=0, silence=0, power=0, retries=0) -> bytes:
    return EXTRA.pack(MAGIC, flags, rssi, silence, power, 0, *rates, *tries, 0, retries, 0)


def item(number: int, value: int) -> bytes:
    return struct.pack("<IHHI", number << 16 | 0x44, 0, 4, value)


def test_prism_header(element):
    """Ten items: host time, MAC time, channel, RSSI, quality, signal, noise, rate, is sent, length; two of them are left out."""
    x = element("Prism2Encap", before="ExtraDecap")
    x.send(extra((22, 0, 0, 0), rssi=40, silence=5) + FRAME)
    values = {1: 0, 2: 0, 3: 0, 4: 0, 6: 40, 8: 22, 9: 1, 10: len(FRAME)}
    items = b"".join(item(n, values[n]) if n in values else bytes(12) for n in range(1, 11))
    x.expect(0, struct.pack("<II", 0x44, 144) + bytes(16) + items + FRAME)


def words(*values: int) -> bytes:
    return bytes(8) + struct.pack("<6I", *values)


CODES = {12: 11, 18: 15, 24: 10, 36: 14, 48: 9, 72: 13, 96: 8, 108: 12, 2: 0x1B, 4: 0x1E, 11: 0x1D, 22: 0x1C}


def decapsulated(x, packet: bytes) -> bytes:
    x.send(packet)
    return x.expect(0, FRAME).carried.annotations[16:40]


def test_descriptor_of_a_frame_that_came(element):
    x = element("AthdescDecap")
    came = words(0, 0, 40 | 0x1D << 15 | 200 << 20, 1 << 1, 0, 0)
    assert decapsulated(x, came + FRAME) == extra((11, 0, 0, 0), rssi=200)
    assert decapsulated(x, words(0, 0, 8 << 15, 1, 0, 0) + FRAME) == extra((96, 0, 0, 0), flags=BROKEN)


def test_descriptor_of_a_frame_that_was_sent(element):
    x = element("AthdescDecap")
    sent = words(60 | 33 << 16, 0, 0, 12 | 9 << 5, 1 | 7 << 8, 1 | 99 << 13)
    assert decapsulated(x, sent + FRAME) == extra((108, 0, 0, 0), flags=SENT, power=33, rssi=99, retries=7)
    assert decapsulated(x, words(60, 0, 0, 0, 1 << 1, 0) + FRAME) == extra(flags=SENT | LOST)


def test_rates_of_descriptors_with_long_preambles_too(element):
    x = element("AthdescDecap")
    for code, rate in (*((code, rate) for rate, code in CODES.items()), (0x1A, 4), (0x19, 11), (0x18, 22), (0, 0), (0x1F, 0)):
        assert decapsulated(x, words(1, 0, 0, code, 0, 0) + FRAME) == extra((rate, 0, 0, 0), flags=SENT)


def test_what_is_printed(router, capfd):
    said = "flags 1 rate 22 max_retries 4 alt_rate 11 alt_retries 2 retries 3 virt_col 0"
    sent = extra((22, 11, 0, 0), (4, 2, 0, 0), SENT, retries=3)
    r = router(
        "FromDevice(in) -> ExtraDecap -> SetTimestamp(3.000005) -> PrintTXFeedback(sent, OFFSET 10)"
        "-> SetTimestamp(4.000000007) -> PrintTXFeedback(OFFSET 1000) -> c :: Counter -> Discard;"
    )
    r.send("in", sent + FRAME)
    assert r.read("c.count") == "1"
    assert capfd.readouterr().err.splitlines() == [
        f"sent: 3.000005 02-00-00-00-00-02 {said}",
        f"PrintTXFeedback 4.000000007 00-00-00-00-00-00 {said}",
    ]


def test_stations_are_counted(router):
    r = router("FromDevice(in) -> ExtraDecap -> x :: RXStats -> c :: Counter -> Discard;", simtime=True)
    ethernet = b"\xff" * 6 + STATION + b"\x08\0"
    for rssi, silence in ((40, 1), (41, 2), (41, 5)):
        r.send("in", extra((22, 0, 0, 0), rssi=rssi, silence=silence) + ethernet)
    r.send("in", extra() + ethernet[:11])
    r.advance(1.5)
    line = r.read("x.stats")
    first = "02-00-00-00-00-02 rate 22 signal 41 noise 5 avg_signal 40.666000 avg_noise 2.666000 total_signal 122 total_noise 8 packets 3 "
    assert re.fullmatch(re.escape(first) + r"last_received 1\.5\d+\n", line)
    assert r.read("c.count") == "4"
    r.write("x.reset")
    assert r.read("x.stats") == ""


def test_stations_make_room_for_others(router):
    r = router("FromDevice(in) -> x :: RXStats(CAPACITY 3) -> Discard;")
    for number in range(30):
        r.send("in", bytes(11) + bytes([number]) + b"\x08\0")
    lines = r.read("x.stats").splitlines()
    assert len(lines) == 3 and any(line.startswith("00-00-00-00-00-1D ") for line in lines)


TRIALS = {
    "descriptor for sending": Trial("AthdescEncap", before="ExtraDecap")
        .gives(
            extra((108, 48, 11, 2), (4, 3, 2, 1), power=0x7F) + FRAME,
            words(0x3F << 16, 0, (4 << 16 | 3 << 20 | 2 << 24 | 1 << 28), (12 | 9 << 5 | 0x1D << 10 | 0x1B << 15), 0, 0) + FRAME
        )
        .each((extra((rate, 0, 0, 0)) + FRAME, words(0, 0, 0, CODES.get(rate, 0), 0, 0) + FRAME) for rate in range(256)),
    "packets without a descriptor": Trial("AthdescDecap").passes(b"", bytes(31)),
}
