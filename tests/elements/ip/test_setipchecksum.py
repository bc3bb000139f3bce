"""SetIPChecksum: RFC 1071, over all words of the header."""

import pytest
from scapy.layers.inet import IP, UDP, IPOption_NOP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix

#: A header of a packet from 172.16.10.99 to 172.16.10.12; its words add up to 0x24e17 without the checksum, 0xffff - 0x4e19 = 0xb1e6.
KNOWN = bytes.fromhex("4500003c1c4640004006" + "b1e6" + "ac100a63ac100a0c")


@pytest.mark.parametrize("options", range(0, 41, 4))
def test_options_count(element, options):
    packet = IP(id=77, options=[IPOption_NOP()] * options) / UDP()
    wrong = packet.copy()
    wrong.chksum = 0x5555
    for headers in ("ip", "ip-in-ethernet"):
        link = b"" if headers == "ip" else bytes(12) + b"\x08\x00"
        store = element("SetIPChecksum", headers=headers)
        store.gives(link + bytes(wrong), link + bytes(packet))


CASES = [Case("SetIPChecksum", headers="ip", mix=Mix(options=50, wrong=40))]


@pytest.mark.executors("native")
def test_what_is_no_header_is_reported_as_in_click(element, capfd):
    store = element("SetIPChecksum", headers="ip")
    store.drops(KNOWN[:19])
    assert capfd.readouterr().err == "SetIPChecksum: bad input packet\n"


TRIALS = {
    "a known header": [
        Trial("SetIPChecksum", headers="ip").gives(KNOWN[:10] + wrong + KNOWN[12:] + bytes(40), KNOWN + bytes(40))
        for wrong in [b"\x00\x00", b"\xff\xff", b"\x12\x34", b"\xb1\xe6"]
    ],
    "a packet without a mark begins with its header": Trial("SetIPChecksum", before="Strip(14)")
        .gives(bytes(14) + KNOWN[:10] + bytes(2) + KNOWN[12:], KNOWN),
    "what is no header is dropped": Trial("SetIPChecksum", headers="ip")
        .drops(*(b"", KNOWN[:19], b"\x44" + KNOWN[1:], bytes(IP(options=[IPOption_NOP()] * 4))[:23]), reason="MALFORMED").reads(drops="4"),
}
