"""PrintWifi and Prism2Decap: lines as Click prints them, and frames that are too short for what they claim."""

import struct
from random import Random

import pytest
from tests.axes import axis

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.single import Surroundings

pytestmark = pytest.mark.executors("native")

ADDRESSES = bytes.fromhex("020000000001 020000000002 020000000003")
ALL = "02-00-00-00-00-01 02-00-00-00-00-02 02-00-00-00-00-03"


def frame(control: int, body: bytes = b"", flags: int = 0, sequence: int = 0x70) -> bytes:
    return struct.pack("<BBH", control, flags, 300) + ADDRESSES + struct.pack("<H", sequence) + body


def element(kind: int, content: bytes) -> bytes:
    return bytes((kind, len(content))) + content


NAME = element(0, b"home\x07net")
RATES = element(1, bytes((0x82, 0x84, 11, 22)))
MORE_RATES = element(50, bytes((0x8C, 36, 1, 2, 3, 4, 5, 6, 7, 8)))
CHANNEL = element(3, b"\x06")
BEACON = bytes(8) + struct.pack("<HH", 100, 0x11) + NAME + RATES + CHANNEL + MORE_RATES

FRAMES = [
    (frame(0x80, BEACON), "mgmt beacon 02-00-00-00-00-03 home.net chan 6 b_int 100 [ ESS PRIVACY ] ({2 4 12} 11 22 36 1 2 3 4 5 6)"),
    (frame(0x50, bytes(12)), "mgmt probe_resp 02-00-00-00-00-03 (none) chan 0 b_int 0 [ ] ({} )"),
    (frame(0x40, NAME + RATES), f"mgmt probe_req ssid home.net ({{2 4}} 11 22) {ALL} seq 7 [ ] "),
    (frame(0x40, CHANNEL + RATES), f"mgmt probe_req ssid (invalid ssid) ({{2 4}} 11 22) {ALL} seq 7 [ ] "),
    (
        frame(0x00, struct.pack("<HH", 0x1F, 10) + NAME + RATES),
        f"mgmt assoc_req listen_int 10 [ESS IBSS CF_POLLABLE CF_POLLREQ PRIVACY] ssid home.net rates ({{2 4}} 11 22) {ALL} seq 7 [ ] ",
    ),
    (
        frame(0x10, struct.pack("<HHH", 2, 17, 5)),
        f"mgmt assoc_resp [IBSS] status 17 unknown status 17 associd 5 {ALL} seq 7 [ ] ",
    ),
    (frame(0xA0, struct.pack("<H", 4)), f"mgmt disassoc assoc_expire/inactive {ALL} seq 7 [ ] "),
    (frame(0xA0, struct.pack("<H", 0)), f"mgmt disassoc unknown reason 0 {ALL} seq 7 [ ] "),
    (frame(0xB0, struct.pack("<HHH", 1, 2, 25)), f"mgmt auth alg 1 auth_seq 2 status shortslot_required {ALL} seq 7 [ ] "),
    (frame(0xD0), f"mgmt unknown-subtype-208 {ALL} seq 7 [ ] "),
    (frame(0xD4)[:10], "cntl ack  300 02-00-00-00-00-01 [ ] "),
    (frame(0xB4)[:16], "cntl rts  02-00-00-00-00-01 02-00-00-00-00-02 [ ] "),
    (frame(0x24), f"cntl unknown-subtype-32 {ALL} seq 7 [ ] "),
    (frame(0x08, flags=0x41, sequence=0x73), f"data tods {ALL} seq 7 frag 3 [ wep ] "),
    (frame(0x08, flags=0x0E), f"data frds {ALL} seq 7 frag 0 [ retry ] "),
    (frame(0x88, flags=0x03), "data dsds "),
    (frame(0x0C), f"unknown-type-12 {ALL} seq 7 [ ] "),
]


@pytest.mark.parametrize("sent, said", FRAMES, ids=lambda value: value.split(" 02-")[0] if isinstance(value, str) else "")
def test_lines(router, capfd, sent, said):
    r = router("FromDevice(eth0) -> PrintWifi(air) -> c :: Counter -> Discard")
    r.send("eth0", sent)
    assert r.read("c.byte_count") == str(len(sent))
    assert capfd.readouterr().err == f"air: {len(sent):4} |  0Mb + 0/ 0 | {said}\n"


def test_frames_end_anywhere(router, capfd):
    """Whatever a frame lacks reads as 0."""
    r = router("FromDevice(eth0) -> PrintWifi -> Discard")
    whole = frame(0x80, BEACON)
    for length in range(14, len(whole)):
        r.send("eth0", whole[:length])
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == len(whole) - 14
    assert all(" mgmt beacon " in line for line in lines)


def prism(sent: bytes, rssi: int, noise: int, rate: int, tx: int) -> bytes:
    values = {4: rssi, 7: noise, 8: rate, 9: tx, 10: len(sent)}
    items = (struct.pack("=IHHI", number << 16 | 0x44, 0, 4, values.get(number, 0)) for number in range(1, 11))
    return struct.pack("=II16s", 0x44, 144, b"wlan0") + b"".join(items) + sent


@pytest.mark.parametrize(
    "header, said", [((40, 3, 22, 0), "11Mb +40/ 3 | data nods"), ((7, 100, 11, 1), " 5.5Mb + 7/100 | data nods")], ids=["received", "sent"]
)
def test_what_a_device_reports_is_taken_off(router, capfd, header, said):
    r = router("FromDevice(eth0) -> Prism2Decap -> PrintWifi -> Queue -> ToDevice(eth1)")
    sent = frame(0x08, bytes(30))
    r.forwards("eth0", prism(sent, *header), "eth1", sent)
    flags = "[ tx ]  retries 0" if header[3] else "[ ] "
    assert capfd.readouterr().err == f"{len(sent):4} | {said} {ALL} seq 7 {flags}\n"


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("hook", axis("bpf", "tc"))
def test_the_kernel_takes_it_off_alike(hook):
    """The annotation included; some headers are cut, or another's."""
    random, packets = Random(1), []
    for _ in range(2000):
        whole = prism(frame(0x08, bytes(random.randrange(60))), *(random.randrange(256) for _ in range(3)), random.randrange(2))
        packets.append(random.choice([whole] * 8 + [whole[: random.randrange(20, 144)], b"\x45" + whole[1:]]))
    assert_equivalent(Surroundings("Prism2Decap").text(), packets, executors=("native", hook))


@pytest.mark.parametrize("sent", [frame(0x08, bytes(200)), prism(b"", 1, 2, 3, 1)[:143]], ids=["another", "too short"])
def test_what_has_no_such_header_passes(router, sent):
    r = router("FromDevice(eth0) -> d :: Prism2Decap -> Queue -> ToDevice(eth1)")
    r.forwards("eth0", sent, "eth1")
    r.write("d.debug", "true")
    assert r.read("d.debug") == "true\n"
