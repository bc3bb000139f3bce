"""TCPIPSend: segments as the handler describes them."""

import pytest
from scapy.layers.inet import IP, TCP


def segment(flags: int) -> IP:
    header = TCP(sport=1000, dport=80, seq=4294967295, ack=7, flags=flags, window=32120)
    return IP(src="10.0.0.1", dst="10.0.0.2", ttl=255, id=0, flags="DF") / header


@pytest.fixture
def sender(router):
    return router("t :: TCPIPSend -> CheckTCPHeader -> Queue -> ToDevice(eth0);")


@pytest.mark.parametrize("more, count", [("", 1), (" 3", 3), (" 0", 0)])
def test_segments(sender, more, count):
    sender.write("t.send", f"10.0.0.1 1000 10.0.0.2 80 4294967295 7 18{more}")
    for _ in range(count):
        sender.expect("eth0", bytes(segment(18)))
    sender.expect_nothing()


def test_mistakes(sender):
    with pytest.raises(Exception, match="FLAGS is missing"):
        sender.write("t.send", "10.0.0.1 1000 10.0.0.2 80 1 2")
    with pytest.raises(Exception, match="COUNT"):
        sender.write("t.send", "10.0.0.1 1000 10.0.0.2 80 1 2 3 65537")
    with pytest.raises(Exception, match="SPORT"):
        sender.write("t.send", "10.0.0.1 x 10.0.0.2 80 1 2 3")
