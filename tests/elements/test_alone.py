"""Elements whose packets are all the kernel path's: it gives none of these up."""

import pytest
from scapy.layers.dot11 import Dot11
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from tests.elements.beside import Tried, beside

from clickbpf.testing.equivalence import arrivals
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import HANDED, Bpf
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights

LARGE = Mix(large=20)
PLAIN = Mix(options=0, wrong=0, large=20, damaged=0, links=weights(ethernet=1), contents=weights(ipv4=1))
SEGMENTS = [Ether() / IP(dst="10.0.1.2") / TCP() / bytes(length) for length in (0, 1, 512, 1400)]
FRAME = bytes(range(100, 160))
#: With a header of WIFI_EXTRA (<clicknet/wifi.h>), and without.
WIFI = [FRAME, (0x7492001).to_bytes(4, "little") + b"\1" + bytes(19) + FRAME]
TO_DISTRIBUTION = [bytes(Dot11(type=2, FCfield=way, addr4="02:00:00:00:00:01")) + b"\xaa\xaa\3\0\0\0\x08\0" + FRAME for way in range(4)]
COMBO = "IPOutputCombo(2, 10.0.9.1, 100)"
ALONE = [
    Tried("ForceICMP(8, 0)", "ip", mix=LARGE),
    Tried("ICMPPingEncap(1.0.0.1, 2.0.0.2)", mix=LARGE),
    Tried("UDPIPEncap(1.0.0.1, 1234, 2.0.0.2, 1234)", mix=LARGE),
    Tried("SetIPChecksum", "ip", mix=Mix(options=50)),
    Tried("SetRandIPAddress(0/0, 1000)"),
    Tried("ARPResponder(0/0 1:2:3:4:5:6)", noutputs=2),
    Tried("ForceTCP(80)", "ip", packets=SEGMENTS),
    *(Tried(text, "ip", noutputs=2 if "SetUDP" in text else 1, mix=PLAIN) for text in ("ForceUDP", "SetTCPChecksum", "SetUDPChecksum")),
    Tried(COMBO, "ip", noutputs=5, mix=Mix(options=0, wrong=0, damaged=0, links=weights(ethernet=1), contents=weights(ipv4=1))),
    *(Tried(f"SetTXRate({arguments})", packets=WIFI) for arguments in ("22", "ETHTYPE 0x0800")),
    *(Tried(text, packets=WIFI) for text in ("SetTXPower(1)", "SetRTS(true)", "SetNoAck", "ExtraEncap", "ExtraDecap")),
    *(Tried(f"Filter{what}", noutputs=2, packets=WIFI) for what in ("TX", "Failures", "PhyErr")),
    Tried("WifiDecap", packets=TO_DISTRIBUTION),
    Tried("WifiEncap(3)", packets=SEGMENTS),
]


@pytest.mark.needs("root", "clang-19")
def test_all_packets_stay_in_the_kernel():
    with start(beside(ALONE), "bpf", simtime=True) as router:
        for number, tried in enumerate(ALONE):
            given = [packet for _, packet, _ in arrivals(tried.packets, [f"in{number}"], ("bpf",), 0, tried.mix) if Bpf.testable(packet)]
            assert given
            handed = [packet.hex(" ") for packet in given if router.run(f"in{number}", packet)[0] == HANDED]
            assert handed == [], tried.element
