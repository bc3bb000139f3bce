"""IPInputCombo: the same as Paint, Strip, CheckIPHeader and GetIPAddress."""

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix

CASES = [Case("IPInputCombo(1, INTERFACES 10.0.0.1/24 10.0.1.1/24)", mix=Mix(options=30, wrong=30))]
