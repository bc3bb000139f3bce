"""NumberPacket and CheckNumberPacket: numbers in packets, and which of them came."""

import struct

import pytest
from scapy.layers.inet import IP, UDP

from clickbpf.errors import ClickError
from clickbpf.testing.cases import Case
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.reach import Reach

FRAME = bytes(range(100))


def numbered(number: int, offset: int = 40, order: str = "=") -> bytes:
    return FRAME[:offset] + struct.pack(f"{order}Q", number) + FRAME[offset + 8 :]


@pytest.mark.parametrize("arguments, offset, order", [("", 40, "="), ("92", 92, "="), ("OFFSET 3, NET_ORDER true", 3, ">")])
def test_packets_are_numbered_from_0(element, arguments, offset, order):
    x = element(f"NumberPacket({arguments})")
    for number in range(300):
        x.send(FRAME)
        x.expect(0, numbered(number, offset, order))
    assert x.read("count") == "300"


def test_short_packets_grow(element):
    x = element("NumberPacket(50)")
    x.send(FRAME[:30])
    x.expect(0, FRAME[:30] + bytes(20) + bytes(8))
    x.send(FRAME[:57])
    x.expect(0, FRAME[:50] + struct.pack("=Q", 1))


@pytest.mark.parametrize("before, front", [("", b""), ("Unstrip(4)", bytes(2) + b"\x08\x00")])
def test_their_ip_header_says_so(element, before, front):
    """Wherever it is. Its checksum stays right, as scapy reckons it."""
    x = element(f"NumberPacket({40 + len(front)})", headers="ip-checked", before=before)
    packet = IP(src="1.2.3.4", dst="5.6.7.8", id=77) / UDP(sport=1, dport=2, chksum=7) / b"abc"
    grown = bytes(packet)[20:] + bytes(9) + struct.pack("=Q", 0)
    x.send(packet)
    header = IP(src="1.2.3.4", dst="5.6.7.8", id=77, proto=17, len=48)
    x.expect(0, front + bytes(header) + grown)


def test_what_came_is_counted(element):
    x = element("CheckNumberPacket(40, 4)", noutputs=2)
    for number, output in ((0, 0), (3, 0), (3, 0), (4, 1), (1 << 40, 1), (2**64 - 1, 1), (1, 0)):
        x.send(numbered(number))
        x.expect(output, numbered(number))
    x.send(FRAME[:47])
    x.expect(1, FRAME[:47])
    assert x.read("dump") == "0: 1\n1: 1\n2: 0\n3: 2\n"
    assert (x.read("max"), x.read("min"), x.read("count")) == ("[3] : 2", "[2] : 0", "4")


def test_network_byte_order(element):
    x = element("CheckNumberPacket(OFFSET 8, COUNT 300, NET_ORDER true)", noutputs=2)
    x.send(numbered(258, 8, ">"))
    x.expect(0)
    assert x.read("max") == "[258] : 1"


def test_without_another_output_they_are_dropped(element, capfd):
    x = element("CheckNumberPacket(40, 4)")
    x.send(numbered(4))
    x.send(FRAME[:47])
    x.expect_nothing()
    assert (x.dropped("FILTERED"), x.dropped("MALFORMED")) == (1, 1)
    assert "x: 4 out of scope (count is 4)" in capfd.readouterr().err


def test_how_many_there_are_can_change(element):
    x = element("CheckNumberPacket", noutputs=2)
    assert (x.read("max"), x.read("min"), x.read("dump")) == ("[-1] : -1", "[-1] : 2147483647", "")
    x.write("count", "2")
    x.send(numbered(1))
    x.expect(0)
    x.write("count", "1")
    x.write("count", "3")
    assert x.read("dump") == "0: 0\n1: 0\n2: 0\n"
    for wrong in ("65537", "-1", "x"):
        with pytest.raises(ClickError):
            x.write("count", wrong)
    assert x.read("count") == "3"


CASES = [
    Case(text, noutputs=2 if text.startswith("Check") else 1, packets=500)
    for text in ["NumberPacket(60, NET_ORDER true)", "CheckNumberPacket(COUNT 65536)"]
]


@pytest.mark.needs("root")
def test_both_agree_on_numbered_packets():
    """Numbers that generated packets have of their own are beyond any count."""
    chain = "NumberPacket(20) -> x :: CheckNumberPacket(20, 400)"
    assert_equivalent(f"FromDevice(in) -> {chain} -> Queue -> ToDevice(out); x [1] -> Queue -> ToDevice(others);", 500)


#: What the kernel path gives up, beside what the manual page's example does.
PUNTS = [Reach("NumberPacket(300)"), Reach("CheckNumberPacket(20, 3)", noutputs=2)]
