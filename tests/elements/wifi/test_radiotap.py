"""RadiotapEncap and RadiotapDecap, as scapy and radiotap.org have the header."""

import pytest
from scapy.layers.dot11 import Dot11, RadioTap
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach

from .test_extra import RX_ERR, TX, TX_FAIL, extra

FRAME = bytes(Dot11(type=2, addr1="02:00:00:00:00:22", addr2="02:00:00:00:00:11", addr3="02:00:00:00:00:33")) + b"inside"
NOACK = 8


def tapped(present, **fields) -> bytes:
    return bytes(RadioTap(present=present, **fields))


def by_hand(bits, fields) -> bytes:
    """What scapy can't build."""
    return bytes(2) + (8 + len(fields)).to_bytes(2, "little") + sum(1 << bit for bit in bits).to_bytes(4, "little") + fields


@pytest.mark.parametrize(
    "before, rate, power, flags, retries",
    [
        ("SetTXRate(22, TRIES 4) -> SetTXPower(20)", 22, 20, 0, 3),
        ("SetTXRate(108) -> SetNoAck", 108, 0, NOACK, 11),
        ("SetTXPower(1)", 0, 1, 0, 12),
    ],
)
def test_encapsulation(element, before, rate, power, flags, retries):
    x = element("RadiotapEncap", before=before)
    x.send(FRAME)
    length = (14).to_bytes(2, "little")
    present = (1 << 2 | 1 << 10 | 1 << 15 | 1 << 17).to_bytes(4, "little")
    x.expect(0, bytes(2) + length + present + bytes([rate, power, flags, 0, retries, 0]) + FRAME)


def test_more_words_of_bits(element):
    """Two of them: the fields begin after all, the time at a multiple of 8."""
    words = [1 << 0 | 1 << 2 | 1 << 31, 0]
    fields = b"".join(word.to_bytes(4, "little") for word in words) + bytes(4) + bytes(8) + bytes([48])
    header = b"\x00\x00" + (4 + len(fields)).to_bytes(2, "little") + fields
    x = element("RadiotapDecap")
    x.send(header + FRAME)
    assert x.expect(0, FRAME).carried.annotations[16:40] == extra(rate=48)


TRIALS = {
    "decapsulation": [
        Trial("RadiotapDecap", before="SetTXRate(200) -> SetNoAck").gives(header + FRAME, FRAME, annotations={16: annotation}, mac=0)
        for header, annotation in [
            (tapped("Rate", Rate=54), extra(rate=108)),
            (tapped("TSFT+Flags+Rate", mac_timestamp=1, Flags=0x20, Rate=1), extra(rate=2, pad=1)),
            (tapped("Flags+dBm_AntSignal+dBm_AntNoise", dBm_AntSignal=-40, dBm_AntNoise=-90), extra(rssi=216, silence=166)),
            (tapped("Flags+Channel+dBm_AntSignal", ChannelFrequency=2412, dBm_AntSignal=-1), extra(rssi=255)),
            (by_hand([5, 6, 12, 13], b"\xff\xfe\x21\x07"), extra(rssi=0x21, silence=7)),
            (by_hand([4, 7, 8, 9, 10, 11, 16, 17], bytes(11) + b"\x05"), extra(retries=5)),
            (tapped("Antenna+RXFlags", Antenna=1, RXFlags=2), extra()),
            (tapped("Flags+RXFlags", RXFlags=1), extra(RX_ERR)),
            (tapped("TXFlags", TXFlags=0), extra(TX)),
            (tapped("Rate+TXFlags", Rate=1, TXFlags=1), extra(TX | TX_FAIL, rate=2)),
            (tapped("RXFlags+MCS+A_MPDU", RXFlags=1, MCS_index=7, A_MPDU_ref=5), extra(RX_ERR)),
        ]
    ],
    "retries": Trial("RadiotapDecap", before="SetTXRate(4, TRIES 6) -> RadiotapEncap")
        .passes(FRAME, annotations={16: extra(TX, rate=4, retries=5)}),
    "checksums are cut off": Trial("RadiotapDecap")
        .gives(tapped("Flags", Flags=0x10) + FRAME + b"crc!", FRAME).gives(tapped("Flags", Flags=0x10) + b"abc", b""),
    "other packets pass": [
        Trial("RadiotapDecap").passes(header + FRAME)
        for header in [
            b"",
            b"\x01" + tapped("Rate", Rate=1)[1:],
            b"\x00\x00\x08\x00\x04\x00\x00\x00\x02",
            b"\x00\x00\x07\x00\x00\x00\x00\x00",
            b"\x00\x00\xff\x00\x04\x00\x00\x00\x02",
            b"\x00\x00\x10\x00\x00\x00\x00\x80\x00\x00\x00\x80\x00\x00\x00\x80",
        ]
    ],
    "headers that are cut short pass": [Trial("RadiotapDecap").passes(tapped("Rate", Rate=1)[:length]) for length in range(9)],
}

CASES = [
    Case(text, before=before, packets=400)
    for text, before in [("RadiotapEncap", "SetTXRate(4)"), ("RadiotapDecap", ""), ("RadiotapDecap", "RadiotapEncap")]
]

PUNTS = [Reach("RadiotapEncap", before=FULL)]
