"""StripTransportHeader and UnstripTransportHeader: up to what follows the TCP, UDP or ICMP header, and back."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_NOP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix

ADDRESSES = {"src": "10.0.0.2", "dst": "10.0.1.2"}
OPTIONS = [("NOP", None)] * 12
DATA = b"what follows" * 5


@pytest.mark.parametrize("ip_options", [0, 40])
@pytest.mark.parametrize("transport, length", [(TCP(), 20), (TCP(options=OPTIONS), 32), (UDP(), 8), (ICMP(), 8)])
def test_the_headers_go_and_their_annotations_stay(element, ip_options, transport, length):
    x = element("StripTransportHeader", headers="ip-checked")
    x.send(IP(options=[IPOption_NOP()] * ip_options, **ADDRESSES) / transport / DATA)
    carried = x.expect(0, DATA).carried
    assert (carried.network, carried.transport) == (-length - 20 - ip_options, -length)


@pytest.mark.parametrize("before", ["StripTCPHeader", "StripIPHeader -> StripUDPHeader", "StripTransportHeader -> Strip(3)"])
def test_the_headers_come_back(element, before):
    x = element("UnstripTCPHeader", headers="ip-checked", before=before)
    packet = IP(**ADDRESSES) / TCP(options=OPTIONS) / DATA
    x.send(packet)
    carried = x.expect(0, bytes(packet)[20:]).carried
    assert (carried.network, carried.transport) == (-20, 0)


TRIALS = {
    "of other protocols the ip header goes": Trial("StripTransportHeader", headers="ip-checked")
        .gives(IP(proto=99, **ADDRESSES) / DATA, DATA),
    "a packet that is shorter is dropped": [
        Trial("StripTransportHeader", headers="ip-checked")
            .drops(bytes(IP(len=20 + cut, proto=6, **ADDRESSES) / bytes(TCP(options=OPTIONS))[:cut]), reason="MALFORMED")
        for cut in [13, 19, 31]
    ],
    "what begins earlier stays": Trial("UnstripTransportHeader", headers="ip-checked").passes(IP(**ADDRESSES) / UDP() / DATA),
}

CASES = [
    Case("StripTransportHeader", headers="ip", mix=Mix(wrong=40)),
    Case("UnstripTransportHeader", headers="ip", before="StripTransportHeader", mix=Mix(wrong=0)),
]

UNREACHED = {
    "UnstripTransportHeader": {
        "unstriptransportheader.c: return pkt_push(p, -offset) ? OUTPUT(0) : PUNT;": "marked headers are in the frame: there is room"
    }
}
