"""CheckIPHeader2: CheckIPHeader that doesn't check checksums by default."""

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.reach import Reach

CASES = [Case("CheckIPHeader2(14)", noutputs=2, mix=Mix(options=30, wrong=40))]
PUNTS = [Reach("CheckIPHeader2(VERBOSE true)", before="Strip(14)")]
