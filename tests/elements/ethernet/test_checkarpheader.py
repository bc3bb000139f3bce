"""CheckARPHeader: the form of ARP packets (RFC 826); Click's reasons, in its order."""

import pytest
from scapy.layers.l2 import ARP, Ether
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.reach import Reach

REQUEST = Ether(dst="ff:ff:ff:ff:ff:ff", src="02:00:00:00:00:09") / ARP(psrc="10.0.0.9", pdst="10.0.0.1")


def arp(**fields: int) -> bytes:
    """The request with other fields in front of the same addresses."""
    values = {"hwtype": 1, "ptype": 0x0800, "hwlen": 6, "plen": 4, **fields}
    start = values["hwtype"].to_bytes(2, "big") + values["ptype"].to_bytes(2, "big") + bytes((values["hwlen"], values["plen"], 0, 1))
    return bytes(REQUEST)[:14] + start + bytes(REQUEST)[22:]


@pytest.mark.parametrize(
    ("packet", "reason"),
    [
        (bytes(REQUEST)[:21], "tiny packet"),
        (bytes(REQUEST)[:41], "too small for addresses"),
        (arp(hwlen=7), "too small for addresses"),
        (arp(hwlen=5), "bad hardware type/length"),
        (arp(plen=3), "bad protocol type/length"),
        (arp(ptype=0x86DD), "bad protocol type/length"),
    ],
    ids=["no header", "no addresses", "long hardware address", "short hardware address", "short IP address", "short IPv6 address"],
)
def test_bad_packets(element, packet, reason):
    x = element("CheckARPHeader(14, DETAILS true)", noutputs=2)
    x.passes(packet, output=1)
    counts = dict(reversed(line.split("\t")) for line in x.read("drop_details").splitlines())
    assert counts == {
        "tiny packet": "0",
        "too small for addresses": "0",
        "bad hardware type/length": "0",
        "bad protocol type/length": "0",
        reason: "1",
    }
    assert x.read("drops") == "1"


MIX = Mix(contents=weights(arp=5, ipv4=1, noise=1), damaged=50)
CASES = [Case("CheckARPHeader(14, DETAILS true)", noutputs=2, packets=2000, mix=MIX), Case("CheckARPHeader(14, VERBOSE true)", mix=MIX)]
PUNTS = [Reach("CheckARPHeader(VERBOSE true)", before="Strip(14)")]


@pytest.mark.executors("native")
def test_the_message_names_nobody(element, capfd):
    element("CheckARPHeader").send(b"short")
    assert capfd.readouterr().err == "ARP header check failed: tiny packet\n"


TRIALS = {
    "good packets are marked": Trial("CheckARPHeader(14)", noutputs=2).passes(REQUEST, network=14, transport=14 + 28),
    "other kinds of address may have any length": [
        Trial("CheckARPHeader(14)", noutputs=2).passes(packet)
        for packet in [arp(hwtype=6, hwlen=5), arp(ptype=0x0842, plen=2), arp(ptype=0x86DD, plen=16) + bytes(24)]
    ],
}
