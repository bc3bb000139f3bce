"""FixIPSrc: the source address of packets that ask for one."""

from scapy.layers.inet import ICMP, IP, IPOption_NOP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

ASKED = "Paint(1, FIX_IP_SRC)"


def packet(source: str, **fields) -> IP:
    return IP(src=source, dst="10.0.1.2", **fields) / ICMP()


def test_packets_that_ask_get_the_address_and_a_right_checksum(element):
    for options in (0, 4, 40):
        fix = element("FixIPSrc(10.0.1.1)", headers="ip", before=ASKED)
        nops = [IPOption_NOP()] * options
        fix.gives(packet("10.0.0.2", options=nops, chksum=0x1234), packet("10.0.1.1", options=nops), FIX_IP_SRC=0)


TRIALS = {
    "others stay as they are": Trial("FixIPSrc(10.0.1.1)", headers="ip").passes(packet("10.0.0.2", chksum=0x1234)),
    "without a header the wish stays": Trial("FixIPSrc(10.0.1.1)", before=f"Strip(14) -> {ASKED}")
        .gives(bytes(12) + b"\x08\x00" + bytes(packet("10.0.0.2")), packet("10.0.0.2"), FIX_IP_SRC=1),
}

CASES = [Case("FixIPSrc(10.0.1.1)", headers="ip-in-ethernet", before=ASKED, packets=1000)]
PUNTS = [Reach("FixIPSrc(1.0.0.1)", headers="ip-checked", before="SetAnnoByte(FIX_IP_SRC, 1)", packets=300)]
