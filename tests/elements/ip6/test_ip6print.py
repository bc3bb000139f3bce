"""IP6Print: the lines that Click's element writes."""

import pytest
from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6

PACKET = IPv6(src="2001:db8:0:0:1::2", dst="::ffff:1.2.3.4", hlim=63) / UDP() / b"data"
LINE = "2001:db8::1:0:0:2 -> ::ffff:1.2.3.4 plen 12, next 17, hlim 63\n"


@pytest.fixture
def printed(element, tmp_path):
    """printed("label") is what is printed of a packet."""

    def run(arguments, headers="ip6", packet=PACKET):
        file = tmp_path / "lines"
        printer = element(f"IP6Print({arguments}{', ' if arguments else ''}OUTFILE {file})", headers=headers)
        printer.passes(packet)
        return file.read_text()

    return run


@pytest.mark.executors("native")
def test_lines(printed):
    assert printed("") == LINE
    assert printed("eth0") == "eth0: " + LINE
    assert printed("ACTIVE false") == ""


@pytest.mark.executors("native")
def test_contents(printed):
    """Groups of four bytes, 24 bytes a line."""
    data = bytes(PACKET)
    groups = [data[at : at + 4].hex() for at in range(0, len(data), 4)]
    text = LINE + "  " + " ".join(groups[:6]) + "\n  " + " ".join(groups[6:12]) + "\n  " + " ".join(groups[12:]) + " \n"
    assert printed("CONTENTS true") == text
    assert printed("CONTENTS true, NBYTES 6") == LINE + f"  {data[:4].hex()} {data[4:6].hex()}\n"


@pytest.mark.executors("native")
def test_packets_without_a_header_are_not_printed(printed):
    assert printed("", headers="ethernet", packet=bytes(60)) == ""
    assert printed("", packet=bytes(PACKET)[:39]) == ""
