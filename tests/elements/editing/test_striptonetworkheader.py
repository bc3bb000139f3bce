"""StripToNetworkHeader: packets begin at their network header."""

import pytest
from tests.elements.trials import Trial

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.reach import Reach
from clickbpf.testing.single import Surroundings

FRAME = bytes(range(64))


@pytest.mark.needs("root")
@pytest.mark.parametrize("before", ["MarkIPHeader(14)", "MarkIPHeader(14) -> Strip(30)", "MarkIPHeader(50)"])
def test_both_executors_agree(before):
    assert_equivalent(Surroundings("StripToNetworkHeader", before=before).text())


TRIALS = {
    "packets begin at the header": [
        Trial("StripToNetworkHeader", before=before).gives(FRAME, FRAME[start:], network=0)
        for before, start in [("MarkIPHeader(14)", 14), ("MarkIPHeader(0)", 0), ("MarkIPHeader(14) -> Strip(30)", 14)]
    ],
    "a header beyond the end leaves nothing": Trial("StripToNetworkHeader", before="MarkIPHeader(65)").gives(FRAME, b""),
}

PUNTS = [Reach("StripToNetworkHeader", before="MarkIPHeader(50)")]

UNREACHED = {
    "StripToNetworkHeader": {
        "striptonetworkheader.c: return pkt_push(p, -offset) ? OUTPUT(0) : PUNT;": "marked headers are in the frame: there is room",
    }
}
