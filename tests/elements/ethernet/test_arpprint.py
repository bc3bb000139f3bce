"""ARPPrint: the lines that Click prints."""

import pytest
from scapy.layers.l2 import ARP, Ether

#: It runs in user space however a packet gets there.
pytestmark = pytest.mark.executors("native")

SENDER, TARGET = "02-00-00-00-00-99", "02-00-00-00-00-01"


def arp(op: int, **fields):
    ends = {"hwsrc": SENDER.replace("-", ":"), "psrc": "10.0.0.9", "hwdst": TARGET.replace("-", ":"), "pdst": "10.0.0.1"}
    return Ether(src="0a:00:00:00:00:0b", dst="ff:ff:ff:ff:ff:ff") / ARP(op=op, **{**ends, **fields})


#: A reply whose protocol is a trailer (RFC 893).
TRAILER = bytes(arp(2))[:16] + b"\x10\x00" + bytes(arp(2))[18:]


@pytest.fixture
def printed(printed):
    return lambda frame, arguments="TIMESTAMP false", before="MarkIPHeader(14)": printed(f"ARPPrint({arguments})", frame, before=before)


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (arp(1, hwdst="00:00:00:00:00:00"), "arp who-has 10.0.0.1 tell 10.0.0.9"),
        (arp(1), f"arp who-has 10.0.0.1 ({TARGET}) tell 10.0.0.9"),
        (arp(2), f"arp reply 10.0.0.9 is-at {SENDER}"),
        (arp(3), f"rarp who-is {TARGET} tell {SENDER}"),
        (arp(4), f"rarp reply {TARGET} at 10.0.0.1"),
        (arp(8), f"invarp who-is {TARGET} tell {SENDER}"),
        (arp(9), f"invarp reply {TARGET} at 10.0.0.1"),
        (arp(77), "arp-#77"),
        (TRAILER, f"trailer-arp reply 10.0.0.9 is-at {SENDER}"),
        (arp(77, hwtype=6), "arp-#77hardware #6"),
    ],
)
def test_operations(printed, frame, said):
    assert printed(frame) == [said]


def test_what_is_not_about_ip_is_not_printed(printed):
    assert printed(arp(1, ptype=0x86DD)) == []
    assert printed(arp(1, hwlen=0)) == []


def test_what_is_cut_short(printed):
    assert printed(arp(1), before="Truncate(21) -> MarkIPHeader(14)") == ["truncated-arp (7)"]
    assert printed(arp(1), before="Truncate(41) -> MarkIPHeader(14)") == ["truncated-arp (27)"]


def test_the_ethernet_header(printed):
    line = ["0A-00-00-00-00-0B > FF-FF-FF-FF-FF-FF: arp-#77"]
    arguments = "TIMESTAMP false, ETHER true"
    assert printed(arp(77), arguments) == line
    assert printed(arp(77), arguments, before="Strip(14) -> MarkIPHeader") == line
    assert printed(arp(77), arguments, before="Strip(14) -> MarkMACHeader -> MarkIPHeader") == ["arp-#77"]


def test_label_and_timestamp(printed):
    (line,) = printed(arp(77), '"two words"')
    label, time, rest = line.split(": ", 2)
    assert (label, rest) == ("two words", "arp-#77")
    assert int(time.split(".")[0]) > 1_600_000_000


def test_what_is_not_marked_is_not_printed(printed):
    assert printed(arp(1), before="Null") == []


def test_active(element, capfd):
    x = element("ARPPrint(ACTIVE false)", before="MarkIPHeader(14)")
    for active, lines in (("false", 0), ("true", 1)):
        x.write("active", active)
        x.send(arp(77))
        assert (x.read("active"), capfd.readouterr().err.count("arp-#77\n")) == (active, lines)


def test_a_file(element, tmp_path):
    x = element(f"ARPPrint(x, TIMESTAMP false, OUTFILE {tmp_path}/log)", before="MarkIPHeader(14)")
    x.send(arp(77))
    assert (tmp_path / "log").read_text() == "x: arp-#77\n"
    with pytest.raises(Exception, match="/nonexistent/log: No such file or directory"):
        element("ARPPrint(OUTFILE /nonexistent/log)")
