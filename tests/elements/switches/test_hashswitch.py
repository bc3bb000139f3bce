"""HashSwitch: the sum of some bytes decides."""

import pytest
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case


def expected(data: bytes, outputs: int) -> int:
    """Click's choice for the bytes: hashswitch.cc, which mixes where the number of outputs is 2, 4 or 8."""
    total = sum(data)
    return (total ^ total >> 4) & (outputs - 1) if outputs in (2, 4, 8) else total % outputs


@pytest.mark.parametrize("outputs", [3, 8])
def test_the_sum_of_the_bytes_decides(element, outputs):
    x = element("HashSwitch(16, 4)", noutputs=outputs)
    for data in (b"\0\0\0\0", b"\1\0\0\0", b"\xff\xff\xff\xff", b"\x0a\0\1\x2b", b"\x10\x20\x30\x40"):
        packet = bytes(16) + data + bytes(40)
        x.passes(packet, output=expected(data, outputs))


TRIALS = {
    "bytes count from the start of the packet": Trial("HashSwitch(2, 1)", noutputs=3, before="Strip(14)")
        .gives(bytes(16) + b"\2" + bytes(40), output=2),
    "a packet that ends too early leaves by output 0": Trial("HashDemux(16, 4)", noutputs=3)
        .passes(b"\1" * 19).passes(b"\1" * 20, output=1),
}

CASES = [Case(f"HashSwitch({arguments})", noutputs=outputs) for arguments, outputs in [("26, 8", 4), ("0, 128", 5)]]
MISTAKES = {"HashSwitch(0, 0)": ["HashSwitch: length must be > 0"]}
