"""IPInputCombo: the same as Paint, Strip, CheckIPHeader and GetIPAddress."""

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix

CASES = [Case("IPInputCombo(1, INTERFACES 10.0.0.1/24 10.0.1.1/24)", mix=Mix(options=30, wrong=30))]


@pytest.mark.executors("native")
def test_the_message_names_nobody(element, capfd):
    element("IPInputCombo(1)").send(Ether() / IP(chksum=1) / UDP())
    assert capfd.readouterr().err == "IP checksum failed\n"
