"""The annotation WIFI_EXTRA: elements that set it, elements that separate packets by it, and its form in front of frames
(<clicknet/wifi.h>)."""

import struct

import pytest
from tests.elements.trials import Trial

from clickbpf.compile import check_text
from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach
from clickbpf.vocabulary.library import Library

FRAME = bytes(range(100, 160))
MAGIC = 0x7492001
TX, TX_FAIL, RX_ERR, RTS_CTS, TX_NOACK = 1, 2, 8, 0x80, 0x200


def extra(flags=0, rssi=0, silence=0, power=0, rate=0, tries=0, retries=0, pad=0, magic=MAGIC) -> bytes:
    return struct.pack("=II4B4B4BBBH", magic, flags, rssi, silence, power, pad, rate, 0, 0, 0, tries, 0, 0, 0, 0, retries, 0)


def test_extra_taken_off(element):
    header = extra(TX, rssi=1, silence=2, power=3, rate=4, tries=5, retries=6, pad=7)
    x = element("ExtraDecap")
    for frame, annotation, rest in [(header + FRAME, header, FRAME), (FRAME, bytes(24), FRAME), (header[:23], bytes(24), header[:23])]:
        x.send(frame)
        assert x.expect(0, rest).carried.annotations[16:40] == annotation


@pytest.mark.parametrize("name, flag", [("FilterTX", TX), ("FilterFailures", TX_FAIL), ("FilterPhyErr", RX_ERR)])
@pytest.mark.parametrize("before", ["", "ExtraDecap"])
def test_filters_see_the_flag_in_front_and_in_the_annotation(element, name, flag, before):
    x = element(name, noutputs=2, before=before)
    for flags in (0, TX, TX_FAIL, RX_ERR, TX | TX_FAIL | RX_ERR, 0x3F4):
        frame = extra(flags) + FRAME
        x.gives(frame, FRAME if before else frame, output=1 if flags & flag else 0)
    x.passes(extra(flag, magic=MAGIC + 1) + FRAME)
    assert x.read("drops") == "2\n"


def test_an_output_without_packets_may_be_connected():
    """FilterPhyErr has one in Click."""
    check_text("Idle -> f :: FilterPhyErr -> Discard; f[1] -> Discard; f[2] -> Discard", Library.standard())


CLASSES = ("SetTXRate(22)", "SetTXRate(ETHTYPE 0x0800)", "SetTXPower(1)", "SetRTS(true)", "SetNoAck", "ExtraEncap", "ExtraDecap")
FILTERS = ("FilterTX", "FilterFailures", "FilterPhyErr")


PACKETS = [*(extra(flags) + FRAME for flags in (0, TX, TX_FAIL, RX_ERR, 0xFFFF)), FRAME, b"", FRAME[:13]]

TRIALS = {
    "what is set": [
        Trial(text).passes(FRAME, annotations={16: expected})
        for text, expected in [
            ("SetTXRate(22)", extra(rate=22, tries=12)),
            ("SetTXRate", extra(rate=2, tries=12)),
            ("SetTXRate(11, TRIES 3)", extra(rate=11, tries=3)),
            ("SetTXRate(11, ETHTYPE 0x7071)", extra(rate=11, tries=12)),
            ("SetTXRate(11, ETHTYPE 0x7271, OFFSET 2)", bytes(24)),
            ("SetTXRate(11, ETHTYPE 0x7273, OFFSET 2)", extra(rate=11, tries=12)),
            ("SetTXRate(11, ETHTYPE 0x7273, OFFSET 60)", bytes(24)),
            ("SetTXPower(63)", extra(power=63)),
            ("SetTXPower", extra()),
            ("SetRTS(true)", extra(RTS_CTS)),
            ("SetRTS(false)", extra()),
            ("SetNoAck", extra(TX_NOACK, magic=0)),
        ]
    ],
    "one after another": Trial("SetRTS(false)", before="SetTXRate(4) -> SetTXPower(7) -> SetNoAck -> SetRTS(true)")
        .passes(FRAME, annotations={16: extra(TX_NOACK, power=7, rate=4, tries=12)}),
    "extra in front": [
        Trial("ExtraEncap", before="SetTXRate(4) -> SetNoAck").gives(FRAME, extra(TX_NOACK, rate=4, tries=12) + FRAME),
        Trial("ExtraEncap", before="SetNoAck").gives(FRAME, extra(TX_NOACK) + FRAME),
    ],
}

CASES = [Case(text, noutputs=2 if text in FILTERS else 1, packets=PACKETS) for text in (*CLASSES, *FILTERS)]
PUNTS = [Reach("ExtraEncap", before=FULL)]
