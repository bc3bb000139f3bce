"""CheckIPHeader: valid headers (RFC 791, 3.1; RFC 1812, 5.2.2 and 5.3.7), and where packets with bad ones go."""

import pytest
from scapy.layers.inet import IP, UDP, IPOption_NOP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.reach import Reach

LINK = bytes(12) + b"\x08\x00"
PACKET = IP(src="10.0.0.2", dst="10.0.1.2") / UDP() / (b"x" * 30)
REASONS = ("tiny packet", "bad IP version", "bad IP header length", "bad IP length", "bad IP checksum", "bad source address")


def changed(**fields) -> bytes:
    """The packet with fields that scapy would not write, and the checksum that fits them."""
    return bytes(IP(**{"src": "10.0.0.2", "dst": "10.0.1.2", **fields}) / UDP() / (b"x" * 30))


#: A header of 60 bytes.
LONG = changed(options=[IPOption_NOP()] * 40)

#: Packet -> the reason why it is bad.
BAD = {
    b"": "tiny packet",
    bytes(PACKET)[:19]: "tiny packet",
    changed(version=6): "bad IP version",
    changed(ihl=4): "bad IP header length",
    changed(ihl=0): "bad IP header length",
    changed(len=59): "bad IP length",
    changed(len=19): "bad IP length",
    changed(ihl=15, len=58): "bad IP length",
    changed(chksum=0x1234): "bad IP checksum",
    LONG[:59] + b"\x00" + LONG[60:]: "bad IP checksum",
}


@pytest.mark.parametrize("options", range(0, 41, 4))
def test_a_good_packet_is_marked_and_trimmed(element, options):
    check = element("CheckIPHeader(14)", noutputs=2)
    packet = bytes(IP(src="10.0.0.2", dst="18.26.4.9", options=[IPOption_NOP()] * options) / UDP() / b"data")
    seen = check.gives(LINK + packet + bytes(11), LINK + packet, DST_IP=0x121A0409)
    assert (seen.carried.network, seen.carried.transport) == (14, 34 + options)
    assert check.read("drops") == "0"


def test_bad_packets_leave_unchanged_by_the_other_output(element):
    check = element("CheckIPHeader(DETAILS true)", noutputs=2, before="Strip(14)")
    for packet in BAD:
        seen = check.gives(LINK + packet, packet, output=1, DST_IP=0)
        assert seen.carried.network is None
    counts = {reason: sum(why == reason for why in BAD.values()) for reason in REASONS}
    assert check.read("drop_details") == "".join(f"{count}\t{reason}\n" for reason, count in counts.items())
    assert check.read("drops") == str(len(BAD))


@pytest.mark.parametrize(
    "source, destination, output",
    [("127.0.0.1", "10.0.0.1", 1), ("127.0.0.1", "10.0.0.2", 0), ("0.0.0.0", "10.0.0.1", 0), ("1.1.1.1", "10.0.0.1", 0)],
)
def test_listed_sources(element, source, destination, output):
    check = element("CheckIPHeader(14, BADSRC 127.0.0.1 127.0.0.2, GOODDST 10.0.0.2)", noutputs=2)
    packet = LINK + bytes(IP(src=source, dst=destination) / UDP())
    check.passes(packet, output=output)


@pytest.mark.executors("native")
@pytest.mark.parametrize("verbose, lines", [("false", 1), ("true", 3)])
def test_the_first_bad_packet_is_told_or_all_are(element, capfd, verbose, lines):
    check = element(f"CheckIPHeader(VERBOSE {verbose})", noutputs=2)
    for _ in range(3):
        check.send(LINK)
    assert capfd.readouterr().err == "x: IP header check failed: tiny packet\n" * lines


CASES = [
    Case(f"CheckIPHeader({arguments})", noutputs=2, packets=2000, mix=Mix(options=40, wrong=30), handlers=["x.*"])
    for arguments in ("14, INTERFACES 10.0.0.1/24 10.0.1.1/24, DETAILS true", "14, CHECKSUM false, VERBOSE true")
]


@pytest.mark.parametrize("packet", [bytes(PACKET), *BAD], ids=range(len(BAD) + 1))
def test_good_and_bad_go_the_same_way(router, packet):
    """What follows may rely on the header of neither."""
    x = router("FromDevice(eth0) -> Strip(14) -> c :: CheckIPHeader -> d :: DecIPTTL(MULTICAST false) -> Discard; c[1] -> d;")
    x.send("eth0", LINK + packet)
    assert x.read("c.drops") == str(int(packet != bytes(PACKET)))


def test_a_packet_that_was_trimmed_before_stays_so(router):
    x = router("FromDevice(eth0) -> c :: CheckIPHeader(14) -> CheckIPHeader(14) -> Queue -> ToDevice(eth1); c[1] -> Discard;")
    x.forwards("eth0", LINK + bytes(PACKET) + b"padding", "eth1", LINK + bytes(PACKET))


@pytest.mark.parametrize("others", ["", "c[1] -> Queue -> ToDevice(eth2);"])
def test_ethernets_padding(router, others):
    """It goes with good packets alone, and is no reason to take a bad length for another mistake."""
    x = router(f"FromDevice(eth0) -> c :: CheckIPHeader(14, DETAILS true) -> Queue -> ToDevice(eth1); {others}")
    packet = LINK + bytes(IP(src="10.0.0.2", dst="18.26.4.9") / UDP())
    for padding in (1, 18, 26, 27):
        x.forwards("eth0", packet + bytes(padding), "eth1", packet)
    for counted, wrong in (("1\tbad IP length", {"len": 19}), ("2\tbad IP length", {"len": 31}), ("1\tbad IP checksum", {"chksum": 7})):
        x.send("eth0", frame := LINK + bytes(IP(src="10.0.0.2", **wrong)) + bytes(10))
        if others:
            x.expect("eth2", frame)
        assert f"{counted}\n" in x.read("c.drop_details")


def test_a_header_written_to_since_is_looked_at_again(router):
    """Nothing that was known of the packet before is used by another element of the class."""
    x = router("FromDevice(eth0) -> CheckIPHeader(14) -> StoreData(14, \\<44>) -> c :: CheckIPHeader(14, CHECKSUM false) -> Discard;")
    x.send("eth0", LINK + bytes(PACKET))
    assert x.read("c.drops") == "1"


def test_beside_an_element_that_says_why_it_fails(router, tmp_path):
    """What both print with must not get in each other's way."""
    x = router(f"FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> ToDump({tmp_path}/out, ENCAP IP);")
    x.send("eth0", LINK + bytes(PACKET))
    assert x.dropped() == 0


TRIALS = {
    "the checksum need not be checked": Trial("CheckIPHeader(OFFSET 14, CHECKSUM false)", noutputs=2).passes(LINK + changed(chksum=1)),
    "broadcast addresses of interfaces are no sources": [
        Trial("CheckIPHeader(14, INTERFACES 10.0.0.1/24 10.0.1.1/25)", noutputs=2)
            .passes(LINK + bytes(IP(src=source, dst=destination) / UDP()), output=output)
        for source, destination, output in [
            ("10.0.0.255", "10.0.9.9", 1),
            ("10.0.1.127", "10.0.9.9", 1),
            ("10.0.1.255", "10.0.9.9", 0),
            ("0.0.0.0", "10.0.9.9", 1),
            ("255.255.255.255", "10.0.9.9", 1),
            ("0.0.0.0", "10.0.0.1", 0),
            ("10.0.0.255", "10.0.1.1", 0),
        ]
    ],
    # As in Click, which takes these away first.
    "the offset may come after named arguments": Trial("CheckIPHeader(CHECKSUM false, 14)").passes(LINK + changed(chksum=0x1234)),
}

PUNTS = [Reach("CheckIPHeader(VERBOSE true)", before="Strip(14)")]
MISTAKES = {"CheckIPHeader(1.2.3.4 1.2.3.5)": "write BADSRC 1.2.3.4 1.2.3.5"}
