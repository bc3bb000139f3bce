"""GetEtherAddress, SetEtherAddress, StoreEtherAddress: addresses between packets and annotations."""

import pytest
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

FRAME = bytes(range(64))


@pytest.mark.parametrize("place, at", [("dst", 0), ("SRC", 6), ("20", 20), ("58", 58)])
def test_out_of_the_packet_and_into_it(element, place, at):
    x = element(f"GetEtherAddress(21, {place})", noutputs=2)
    x.passes(FRAME)
    y = element("StoreEtherAddress(OFFSET 30, ANNO 21)", before=f"GetEtherAddress(21, {place})")
    y.gives(FRAME, FRAME[:30] + FRAME[at : at + 6] + FRAME[36:])


@pytest.mark.parametrize("place", [59, 64, 20000, 2**31 - 1])
@pytest.mark.parametrize("form", ["GetEtherAddress(20, {})", "StoreEtherAddress(2:2:2:2:2:2, {})"])
def test_packets_that_end_before(element, form, place):
    x = element(form.format(place), noutputs=2)
    x.passes(FRAME, output=1)
    alone = element(form.format(place))
    alone.drops(FRAME)
    assert alone.dropped("MALFORMED") == 1


CASES = [
    *(
        Case(chain, packets=300)
        for chain in ["GetEtherAddress(20, src)", "SetEtherAddress(1:2:3:4:5:6, 20)", "StoreEtherAddress(1:2:3:4:5:6, dst)"]
    ),
    *(
        Case("StoreEtherAddress(OFFSET dst, ANNO 20)", before=chain, packets=300)
        for chain in ["GetEtherAddress(20, src)", "SetEtherAddress(1:2:3:4:5:6, 20)", "StoreEtherAddress(1:2:3:4:5:6, dst)"]
    ),
]


def test_mistakes(refused):
    assert "ADDR/ANNO" in refused("StoreEtherAddress(OFFSET 3)")
    assert "ADDR/ANNO" in refused("StoreEtherAddress(1:1:1:1:1:1, 3, ANNO 20)")
    assert "OFFSET" in refused("StoreEtherAddress(1:1:1:1:1:1)")
    assert "bad OFFSET" in refused("GetEtherAddress(20, source)")
    assert "bad OFFSET" in refused(f"GetEtherAddress(20, {2**31})")


TRIALS = {
    "a given address": Trial("StoreEtherAddress(2:3:4:5:6:a7, src)")
        .reads(addr="02-03-04-05-06-A7").gives(FRAME, FRAME[:6] + bytes.fromhex("0203040506a7") + FRAME[12:])
        .write("addr", "00-00-00-00-00-01").gives(FRAME, FRAME[:6] + bytes.fromhex("000000000001") + FRAME[12:]),
    "a given annotation": Trial("SetEtherAddress(2:3:4:5:6:7, 32)")
        .passes(FRAME, FIRST_TIMESTAMP=int.from_bytes(bytes([2, 3, 4, 5, 6, 7, 0, 0]), "little")).write("addr", "9:9:9:9:9:9")
        .reads(addr="09-09-09-09-09-09"),
}

PUNTS = [
    Reach("GetEtherAddress(20, 20000)"),
    Reach("StoreEtherAddress(2:0:0:0:0:1, 20000)"),
]
