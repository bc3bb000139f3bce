"""MarkIPHeader: sets header annotations, and checks nothing."""

from scapy.layers.inet import IP, UDP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

LINK = bytes(12) + b"\x08\x00"

TRIALS = {
    "the transport header is where the header length says": [
        Trial("MarkIPHeader(14)").passes(LINK + bytes(IP(ihl=words) / UDP()) + bytes(60), DST_IP=0, network=14, transport=14 + 4 * words)
        for words in range(16)
    ],
    "the header may lie before the data": Trial("MarkIPHeader(-20)", before="Strip(34)")
        .gives(LINK + bytes(IP() / UDP()), bytes(IP() / UDP())[20:], network=-20, transport=0),
    "a packet that ends before its header": Trial("MarkIPHeader(14)").passes(LINK, network=14, transport=14),
}

CASES = [Case("MarkIPHeader(14)", packets=2000)]
PUNTS = [Reach("MarkIPHeader(-4)")]
