"""CompareBlock: weights and a threshold for two rates in annotations."""

import pytest
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


@pytest.mark.parametrize(
    "forward, reverse, output",
    [
        (100, 1, 0),  # neither is above 100
        (101, 1, 1),
        (101, 252, 1),  # 505 > 504
        (102, 255, 0),  # 510 = 510
        (0, 101, 0),  # 5 < 202
        (41, 101, 1),  # 205 > 202
        (200, 0, 1),
    ],
)
def test_the_rule(element, forward, reverse, output):
    # The annotations are of 4 bytes in the machine's order.
    bytes_ = [*forward.to_bytes(4, "little"), *reverse.to_bytes(4, "little")]
    before = " -> ".join(f"Paint({byte}, {20 + i})" for i, byte in enumerate(bytes_))
    x = element("CompareBlock(5, 2, 100)", noutputs=2, before=before)
    x.passes(FRAME, output=output)


TRIALS = {
    "weights can be changed": Trial("CompareBlock(1, 1, 0)", noutputs=2)
        .passes(FRAME).write("fwd_weight", "2").passes(FRAME, output=1).reads(fwd_weight="2", rev_weight="1").write("rev_weight", "3")
        .passes(FRAME),
}

CASES = [Case("CompareBlock(2, 1, 0)", noutputs=2, packets=300, before="Paint(200, 24)")]
