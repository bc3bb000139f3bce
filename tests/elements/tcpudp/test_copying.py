"""CopyFlowID and CopyTCPSeq: packets from input 1 get what packets from input 0 have."""

import pytest
from scapy.layers.inet import IP, TCP, UDP

from clickbpf.testing.cases import Case
from clickbpf.testing.punt import assert_punts_unchanged

#: The checksums of what is written into stay, so they are given.
OTHER = IP(src="192.0.2.1", dst="192.0.2.2", chksum=1) / TCP(sport=7, dport=8, seq=99, chksum=2) / b"data"


def segment(number: int, **fields) -> IP:
    return IP(src="10.0.0.1", dst="10.0.0.2") / TCP(sport=1000, dport=80, seq=number, **fields)


def written(**fields) -> IP:
    packet = OTHER.copy()
    for layer in (IP, TCP):
        for name, value in fields.items():
            if name in {field.name for field in layer.fields_desc}:
                setattr(packet[layer], name, value)
    return packet


def pass_on(x, packet) -> None:
    x.send(packet, input=0)
    x.expect(0, packet)


def expect_written(x, **fields) -> None:
    x.send(OTHER, input=1)
    x.expect(1, written(**fields))
    x.expect_nothing()


def test_a_flow_is_copied_until_the_next_reset(element):
    x = element("CopyFlowID", ninputs=2, noutputs=2, headers="ip")
    expect_written(x, src="0.0.0.0", dst="0.0.0.0", sport=0, dport=0)
    pass_on(x, segment(1))
    first = {"src": "10.0.0.1", "dst": "10.0.0.2", "sport": 1000, "dport": 80}
    expect_written(x, **first)
    second = IP(src="10.0.0.3", dst="10.0.0.4") / UDP(sport=1, dport=2)
    pass_on(x, second)
    expect_written(x, **first)
    x.write("reset")
    expect_written(x, **first)
    pass_on(x, second)
    expect_written(x, src="10.0.0.3", dst="10.0.0.4", sport=1, dport=2)


def test_later_fragments_have_no_ports(element):
    x = element("CopyFlowID", ninputs=2, noutputs=2, headers="ip")
    pass_on(x, IP(src="10.0.0.9", frag=1) / bytes(20))
    pass_on(x, IP(src="10.0.0.1", dst="10.0.0.2", flags="MF") / UDP(sport=1000, dport=80) / bytes(8))
    expect_written(x, src="10.0.0.1", dst="10.0.0.2", sport=1000, dport=80)


def test_the_greatest_number_is_copied(element):
    """RFC 9293, 3.4: numbers are compared modulo 2^32."""
    x = element("CopyTCPSeq", ninputs=2, noutputs=2, headers="ip")
    expect_written(x, seq=0)
    for number, greatest in [
        (0x80000005, 0x80000005),
        (0xFFFFFFF0, 0xFFFFFFF0),
        (0xFFFFFFEF, 0xFFFFFFF0),
        (0xFFFFFFF0, 0xFFFFFFF0),
        (3, 3),
        (0xFFFFFFFF, 3),
    ]:
        pass_on(x, segment(number))
        expect_written(x, seq=greatest)
    x.write("reset")
    expect_written(x, seq=3)
    pass_on(x, segment(2))
    expect_written(x, seq=2)


@pytest.mark.parametrize("name, short", [("CopyFlowID", 23), ("CopyTCPSeq", 39)])
def test_short_packets(element, name, short):
    """From input 0 they are passed over, from input 1 dropped."""
    x = element(name, ninputs=2, noutputs=2, headers="ip")
    pass_on(x, bytes(segment(5))[:short])
    expect_written(x, **({"seq": 0} if name == "CopyTCPSeq" else {"src": "0.0.0.0", "dst": "0.0.0.0", "sport": 0, "dport": 0}))
    x.drops(bytes(OTHER)[:short], input=1)
    assert x.dropped("MALFORMED") == 1


@pytest.mark.executors("native")
def test_packets_are_pulled_through(router):
    r = router(
        "FromDevice(a) -> Strip(14) -> MarkIPHeader -> Queue -> [0] x :: CopyTCPSeq; x[0] -> Unstrip(14) -> ToDevice(out0);"
        "FromDevice(b) -> Strip(14) -> MarkIPHeader -> Queue -> [1] x; x[1] -> Unstrip(14) -> ToDevice(out1);"
    )
    ethernet = bytes(12) + b"\x08\x00"
    r.forwards("a", ethernet + bytes(segment(7)), "out0")
    r.forwards("b", [ethernet + bytes(OTHER)[:39], ethernet + bytes(OTHER)], "out1", ethernet + bytes(written(seq=7)))
    r.expect_nothing()
    assert r.dropped("x", "MALFORMED") == 1


CASES = [Case(name, ninputs=2, noutputs=2, headers="ip") for name in ["CopyFlowID", "CopyTCPSeq"]]


@pytest.mark.executors("bpf")
@pytest.mark.parametrize("name, device", [("CopyFlowID", "in1"), ("CopyTCPSeq", "in0"), ("CopyTCPSeq", "in1")])
def test_the_runtime_is_needed_to_learn_a_flow_only(executor, name, device):
    packets = [(device, bytes(12) + b"\x08\x00" + bytes(segment(number))) for number in range(5)]
    assert assert_punts_unchanged(name, 2, 2, headers="ip", packets=packets).count == 0


UNREACHED = {"CopyTCPSeq": {"copytcpseq.c: } while (USERSPACE); return PUNT;": "another CPU would have to store a number at that moment"}}
