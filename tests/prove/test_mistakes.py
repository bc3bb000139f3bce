"""Mistakes in configs/iprouter.click are found, each with a packet that was replayed on the real datapath."""

from pathlib import Path

import pytest

from clickbpf.compile import Compilation, check_text
from clickbpf.prove import questions
from clickbpf.prove.answers import Answer, Router, Verdict
from clickbpf.prove.explore import Explorer, Fate
from clickbpf.vocabulary.library import Library

pytestmark = [pytest.mark.whole, pytest.mark.needs("root", "clang-19")]

TEXT = (Path(__file__).parents[2] / "configs/iprouter.click").read_text()
TTL = "from eth0 ip ttl <= 1: not sent"
HOPS = "from eth0 ip6 hlim <= 1 and not icmp6: not sent"
CHECKSUM = "from eth0 ip: ip checksum right"
CHANGES = "from eth0 sent ip: only ip ttl, ip checksum, ether change"
BACK = "from eth0 ip: not on eth0"
ALL = "Classifier(-, -)"

#: What is changed, into what, and the question that finds it.
MISTAKES = (
    ("dt1 :: DecIPTTL", f"dt1 :: {ALL}", TTL),
    ("dt0 :: DecIPTTL", "dt0 :: DecIPTTL(ACTIVE false)", TTL.replace("eth0", "eth1")),
    ("dt1 :: DecIPTTL", "dt1 :: IPClassifier(ip ttl > 0, -)", TTL),
    # xdp-tools' issue 586: the protocol was compared with an Ethernet type before the TTL was decremented.
    ("-> dt1 :: DecIPTTL", "-> v4 :: IPClassifier(ip proto 8, -) -> dt1 :: DecIPTTL", TTL + "#v4[1] -> fr1;"),
    ("dh1 :: DecIP6HLIM", f"dh1 :: {ALL}", HOPS),
    ("dh0 :: DecIP6HLIM", "dh0 :: IPClassifier(ip6 hlim > 0, -)", HOPS.replace("eth0", "eth1")),
    ("CheckIPHeader(INTERFACES if0:ipnet if1:ipnet)", "MarkIPHeader", "from eth0 src host 255.255.255.255: not sent"),
    ("INTERFACES if0:ipnet if1:ipnet", "BADSRC 255.255.255.254", "from eth0 src host 255.255.255.255: not sent"),
    ("INTERFACES if0:ipnet if1:ipnet", "BADSRC 255.255.255.255 10.0.0.254", "from eth0 src host 10.0.0.255: not sent"),
    ("INTERFACES if0:ipnet if1:ipnet", "INTERFACES if0:ipnet if1:ipnet, CHECKSUM false", CHECKSUM),
    ("local1 :: IPClassifier(src host ::,", "local1 :: IPClassifier(src host ::1,", "from eth0 ip6 src net ::/128: not sent"),
    ("local1 :: IPClassifier(src host ::, src net fe80::/10,", "local1 :: IPClassifier(src host ::, src net fe80::/11,",
     "from eth0 ip6 src net fe80::/10: not on eth1"),
    ("-> dt1 :: DecIPTTL", "-> dt1 :: DecIPTTL -> SetIPDSCP(3)", CHANGES),
    ("-> dt1 :: DecIPTTL", "-> dt1 :: DecIPTTL -> StoreData(16, \\<01020304>)", CHANGES),
    ("scope1 :: IPClassifier(dst net fe80::/10, dst net ff02::/16, dst net ff00::/8,",
     "scope1 :: IPClassifier(dst net fe80::/10, dst net ff02::/16, dst net ff00::/9,", "from eth1 ip6 dst net ff00::/8: not sent"),
    ("255.255.255.255/32 0, ", "255.255.255.254/32 0, ", "from eth1 dst host 255.255.255.255: not sent"),
    ("if1:ip/32 0,  if1:bcast/32 0,", "if1:ip/32 0,", "from eth0 dst host 10.0.1.255: not sent"),
    ("if1:ipnet 2, ", "10.0.1.0/25 2, ", "from eth1 dst net 10.0.1.0/24: not on eth0"),
    ("cp0 :: PaintTee(1)", "cp0 :: PaintTee(2)", BACK),
    ("c0 :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800,", "c0 :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/08%ff,",
     "from eth0 arp: not sent"),
)  # fmt: skip


@pytest.mark.parametrize("right, wrong, question", MISTAKES)
def test_mistakes_are_found(right, wrong, question):
    """A mistake is refuted by a packet."""
    assert right in TEXT
    question, _, more = question.partition("#")
    found = answer(TEXT.replace(right, wrong, 1) + more, question)
    assert found.verdict is Verdict.REFUTED, found.open
    assert found.example.fate is Fate.SENT


def answer(text: str, question: str) -> Answer:
    (asked,) = questions.read(question, "rules")
    return Router(Explorer(Compilation(check_text(text, Library.standard())))).answer(asked)
