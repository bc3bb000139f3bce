"""HostEtherFilter: what a network card would let through; cases and packet types are those of Click's manual page."""

from scapy.layers.l2 import Ether
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case

MINE, OTHER = "02:00:00:00:00:05", "02:00:00:00:00:77"
#: if_packet.h
HOST, BROADCAST, MULTICAST, OTHERHOST = range(4)


def frame(dst: str, src: str = OTHER) -> Ether:
    return Ether(dst=dst, src=src, type=0x0800) / bytes(46)


KINDS = {MINE: HOST, "ff:ff:ff:ff:ff:ff": BROADCAST, "01:00:5e:00:00:05": MULTICAST, OTHER: OTHERHOST}


def test_frames_for_others_leave_by_output_1(element):
    x = element(f"HostEtherFilter({MINE})", noutputs=2)
    for dst, packet_type in KINDS.items():
        x.send(frame(dst))
        assert x.expect(int(packet_type == OTHERHOST), frame(dst)).carried.type == packet_type


def test_frames_for_others_may_pass(element):
    x = element(f"HostEtherFilter({MINE}, DROP_OTHER false)", noutputs=2)
    for dst, packet_type in KINDS.items():
        x.send(frame(dst))
        assert x.expect(0, frame(dst)).carried.type == packet_type


TRIALS = {
    "own frames are filtered whatever their destination": Trial(f"HostEtherFilter({MINE}, true)", noutputs=2)
        .each((frame(dst, src=MINE), frame(dst, src=MINE), 1) for dst in KINDS).gives(frame(MINE)),
    "the header may begin later": Trial(f"HostEtherFilter({MINE}, OFFSET 4)", noutputs=2)
        .passes(bytes(4) + bytes(frame(MINE)), output=int(MINE == OTHER))
        .passes(bytes(4) + bytes(frame(OTHER)), output=int(OTHER == OTHER)).drops(bytes(17), reason="MALFORMED"),
}

CASES = [Case(f"HostEtherFilter(02:00:00:00:00:01, {more})", noutputs=2) for more in ("DROP_OWN true", "OFFSET 3")]
