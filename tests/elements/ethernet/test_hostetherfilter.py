"""HostEtherFilter: what a network card would let through; cases and packet types are those of Click's manual page."""

from scapy.layers.l2 import Ether

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


def test_own_frames_are_filtered_whatever_their_destination(element):
    x = element(f"HostEtherFilter({MINE}, true)", noutputs=2)
    for dst in KINDS:
        x.send(frame(dst, src=MINE))
        x.expect(1, frame(dst, src=MINE))
    x.send(frame(MINE))
    x.expect(0)


def test_the_header_may_begin_later(element):
    x = element(f"HostEtherFilter({MINE}, OFFSET 4)", noutputs=2)
    for dst in (MINE, OTHER):
        packet = bytes(4) + bytes(frame(dst))
        x.send(packet)
        x.expect(int(dst == OTHER), packet)
    x.send(bytes(17))
    x.expect_nothing()
    assert x.dropped("MALFORMED") == 1


CASES = [Case(f"HostEtherFilter(02:00:00:00:00:01, {more})", noutputs=2) for more in ("DROP_OWN true", "OFFSET 3")]
