"""SetIPECN: the lower two bits of the TOS byte (RFC 3168), checksum included."""

import pytest
from scapy.layers.inet import IP, UDP

from clickbpf.testing.cases import Case

#: ECT(1) is the codepoint 01, ECT(0) is 10 (RFC 3168, figure 1).
WORDS = {"no": 0, "-": 0, "ect1": 1, "ECT(1)": 1, "ect2": 2, "ECT(0)": 2, "ce": 3, "CE": 3, "0": 0, "1": 1, "2": 2, "3": 3}


@pytest.mark.parametrize("word", WORDS)
def test_all_words(element, word):
    x = element(f"SetIPECN({word})", headers="ip-checked")
    for tos in (0, 0xFE, 0xFF):
        x.gives(IP(tos=tos) / UDP(), IP(tos=tos & 0xFC | WORDS[word]) / UDP())
    assert x.read("ecn") == word


CASES = [Case("SetIPECN(ect2)", headers="ip")]
