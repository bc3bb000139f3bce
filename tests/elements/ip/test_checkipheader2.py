"""CheckIPHeader2: CheckIPHeader that doesn't check checksums by default."""

import pytest
from scapy.layers.inet import IP, UDP

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.reach import Reach

LINK = bytes(12) + b"\x08\x00"


@pytest.mark.parametrize("arguments, output", [("14", 0), ("14, CHECKSUM true", 1)])
def test_wrong_checksums(element, arguments, output):
    check = element(f"CheckIPHeader2({arguments})", noutputs=2)
    packet = LINK + bytes(IP(chksum=1) / UDP())
    check.send(packet)
    check.expect(output, packet)


def test_all_else_is_checked(element):
    check = element("CheckIPHeader2(14, BADSRC 10.0.0.9, DETAILS true)", noutputs=2)
    for wrong in (IP(version=5), IP(ihl=4), IP(len=10), IP(src="10.0.0.9")):
        check.send(LINK + bytes(wrong / UDP()))
        check.expect(1)
    assert [line.split("\t")[0] for line in check.read("drop_details").splitlines()] == ["0", "1", "1", "1", "0", "1"]


CASES = [Case("CheckIPHeader2(14)", noutputs=2, mix=Mix(options=30, wrong=40))]


#: What the kernel path gives up, beside what the manual page's example does.
PUNTS = [Reach("CheckIPHeader2(VERBOSE true)", before="Strip(14)")]
