"""Answers to questions: proved where it is so, and refuted by a packet, as the real datapath treats it, where a mistake was made."""

from pathlib import Path

import pytest

from clickbpf.compile import Compilation, check_file, check_text
from clickbpf.errors import ClickError
from clickbpf.plan import Options
from clickbpf.prove import questions
from clickbpf.prove.answers import Answer, Router, Verdict
from clickbpf.prove.differences import compare
from clickbpf.prove.explore import Explorer, Fate
from clickbpf.prove.replay import initial_tables
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("root", "clang-19")

ROUTER = """
FromDevice(eth0) -> c :: Classifier(12/0800, -) [1] -> Discard;
c -> Strip(14) -> CheckIPHeader(BADSRC 255.255.255.255) -> ttl :: DecIPTTL
	-> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
"""
ERRORS = "ttl[1] -> e :: ICMPError(10.0.0.1, timeexceeded) -> EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:3) -> Queue -> ToDevice(eth0);"
FORWARDING = "forall ip ttl <= 1: not sent"
SOURCE = "forall src host 255.255.255.255: not sent"
CHANGES = "forall sent ip: only ip ttl, ip checksum, ether change"
FILTER = "FromDevice(eth0) -> Classifier(12/0800) -> MarkIPHeader(14) -> f :: IPFilter({}) -> Queue -> ToDevice(eth1);"

TAGGED = "Classifier(12/8100 16/0800, 12/0800) => (input[0] -> VLANDecap -> output; input[1] -> output) -> MarkIPHeader(14)"

NAT = """
FromDevice(eth0) -> Classifier(12/0800) -> Strip(14) -> CheckIPHeader -> IPClassifier(tcp) -> DecIPTTL
	-> IPRewriter(pattern 198.51.100.1 1024-32767 - - 0 0)
	-> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
"""
NAT_RULES = Path(__file__).parents[2] / "configs/nat.rules"

SWITCH = "FromDevice(eth0) -> s :: Switch(1); s[0] -> Queue -> ToDevice(eth1); s[1] -> Discard;"


def router(text: str) -> Router:
    return Router(Explorer(Compilation(check_text(text, Library.standard()))))


def answer(text: str, question: str) -> Answer:
    (asked,) = questions.read(question, "rules")
    return router(text).answer(asked)


def test_proved():
    """What a router does right is proved, of all packets."""
    made = router(ROUTER)
    for question in (FORWARDING, SOURCE, CHANGES, "no drop without a reason", "forall arp: not sent"):
        (asked,) = questions.read(question, "rules")
        found = made.answer(asked)
        assert (found.verdict, found.open) == (Verdict.PROVED, []), question


def test_the_routers_own_answers_end_the_ways_of_packets():
    """An element that few packets meet, whose program answers them, is named in the bounds, and what passes beside it is proved."""
    made = router(ROUTER + ERRORS)
    assert set(made.explorer.answers.values()) == {"e"}
    (asked,) = questions.read(FORWARDING, "rules")
    assert made.answer(asked).verdict is Verdict.PROVED


#: What is changed in the router, and the question whose answer changes.
MISTAKES = (
    ("BADSRC 255.255.255.255", "BADSRC 255.255.255.254", SOURCE),
    ("ttl :: DecIPTTL", "Null", FORWARDING),
    ("ttl :: DecIPTTL", "DecIPTTL(ACTIVE false)", FORWARDING),
    ("ttl :: DecIPTTL", "DecIPTTL(MULTICAST false)", FORWARDING),
    ("CheckIPHeader(BADSRC 255.255.255.255)", "MarkIPHeader", SOURCE),
    ("ttl :: DecIPTTL", "DecIPTTL -> SetIPDSCP(3)", CHANGES),
    ("ttl :: DecIPTTL", "DecIPTTL -> StoreData(16, \\<01020304>)", CHANGES),
    ("ttl :: DecIPTTL", "IPClassifier(ip ttl > 0) -> DecIPTTL(ACTIVE false)", FORWARDING),
    ("Classifier(12/0800, -)", "Classifier(12/08%ff, -)", "forall arp: not sent"),
)


#: The first one takes the least time.
REST = [pytest.param(*each, marks=pytest.mark.whole) for each in MISTAKES[1:]]


@pytest.mark.parametrize("right, wrong, question", [MISTAKES[0], *REST])
def test_mistakes_are_found(right, wrong, question):
    """A mistake is found, with a packet that was replayed on the real datapath."""
    assert right in ROUTER
    text = ROUTER.replace(right, wrong)
    found = answer(text, question)
    assert found.verdict is Verdict.REFUTED, found.open
    assert (found.example.fate, found.example.devices) == (Fate.SENT, ("eth1",))


def test_reach():
    """A packet proves that something is reached."""
    text = FILTER.format("deny tcp dst port 80, allow all")
    found = answer(text, "reach eth1 tcp dst port 22")
    assert found.verdict is Verdict.PROVED
    assert found.example.packet[23] == 6
    assert answer(text, "reach eth1 tcp dst port 80").verdict is not Verdict.PROVED


def test_differences():
    """Rules in another order that mean the same make no difference; another rule does, and a packet shows it."""
    before = router(FILTER.format("deny tcp dst port 80, deny udp, allow all"))
    assert compare(before, router(FILTER.format("deny udp, deny tcp dst port 80, allow all"))).verdict is Verdict.PROVED
    found = compare(before, router(FILTER.format("deny tcp dst port 81, deny udp, allow all")))
    assert found.verdict is Verdict.REFUTED
    assert {each.old.fate for each in found.differences} == {Fate.SENT, Fate.DROPPED}
    assert all(each.old.fate is not each.new.fate for each in found.differences)


def test_copies():
    """Copies leave by each of their devices."""
    text = "FromDevice(eth0) -> t :: Tee; t[0] -> Queue -> ToDevice(eth1); t[1] -> Queue -> ToDevice(eth2);"
    found = answer(text, "from eth0: not on eth2")
    assert (found.verdict, found.example.devices) == (Verdict.REFUTED, ("eth1", "eth2"))


def test_what_other_cpus_do():
    """All CPUs but the first treat packets otherwise, so nothing is proved."""
    text = "FromDevice(eth0) -> s :: CPUSwitch; s[0] -> Queue -> ToDevice(eth1); s[1] -> Queue -> ToDevice(eth2);"
    assert answer(text, "from eth0: not on eth2").verdict is Verdict.UNDECIDED


def test_packets_that_the_runtime_goes_on_with():
    """They differ by their bytes, and what happens to them later isn't compared: that of another element isn't known to be the same."""
    text = "FromDevice(eth0) -> StoreData(20, \\<{}>) -> u :: Null -> StoreData(30, \\<{}>) -> Queue -> ToDevice(eth1);"
    before, bytes_, later = (
        Router(Explorer(Compilation(check_text(text.format(*values), Library.standard()), Options(user=frozenset({"u"})))))
        for values in (("01", "05"), ("02", "05"), ("01", "06"))
    )
    assert [compare(before, each).verdict for each in (before, bytes_, later)] == [Verdict.PROVED, Verdict.REFUTED, Verdict.UNDECIDED]


def test_bytes_far_back():
    """A byte that is written far behind the headers is a difference, and a change."""
    before = FILTER.format("allow all")
    written = before.replace("-> f", "-> StoreData(104, \\<07>) -> f")
    found = compare(router(before), router(written))
    assert any(each.old.fate is each.new.fate is Fate.SENT for each in found.differences), found.open
    changed = answer(written, CHANGES).example
    assert changed.after[104] == 7 != changed.packet[104]


def test_translation():
    """The fused program treats no packet otherwise than a program for each element."""
    filter_ = FILTER.format("deny tcp dst port 80, deny udp, allow all")
    text = filter_.replace("MarkIPHeader(14) -> f", "CheckIPHeader(14) -> DecIPTTL -> f")
    made = check_text(text, Library.standard())
    chain = Router(Explorer(Compilation(made, Options(chain=True))))
    found = compare(Router(Explorer(Compilation(made))), chain)
    assert (found.verdict, found.open) == (Verdict.PROVED, [])
    assert len(chain.explorer.made.manifest.programs) > 3


def test_what_answers_knows_of_the_packet():
    """A frame's bytes behind the packet may be cut off before it is answered; the packet's annotations are the same."""
    made = check_text(ROUTER + ERRORS, Library.standard())
    fused, chain = (Router(Explorer(Compilation(made, Options(chain=chain)))) for chain in (False, True))
    found = compare(fused, chain)
    assert (found.verdict, found.open) == (Verdict.PROVED, [])
    painted = compare(fused, router((ROUTER + ERRORS).replace("ttl[1] ->", "ttl[1] -> Paint(7) ->")))
    assert painted.verdict is Verdict.UNDECIDED and any(each.startswith("from eth0, answered e") for each in painted.open)


#: Configurations of which it is proved within seconds that no packet is treated otherwise; docs/proofs.md lists the others.
QUICK = ("counter", "drop", "firewall", "generator", "ratelimit")


@pytest.mark.whole
@pytest.mark.parametrize("options", [Options(chain=True), Options(hook="tc")], ids=["chain", "tc"])
@pytest.mark.parametrize("name", QUICK)
def test_translation_of_configs(name, options):
    """The fused XDP programs treat no packet otherwise than a program for each element, and than TC programs."""
    made = check_file(NAT_RULES.parent / f"{name}.click", Library.standard())
    found = compare(*(Router(Explorer(Compilation(made, each))) for each in (Options(), options)))
    assert (found.verdict, found.open) == (Verdict.PROVED, [])


@pytest.mark.parametrize("entry", ["Classifier(12/0800) -> MarkIPHeader(14)", TAGGED])
def test_hooks(entry):
    """TC programs treat no packet otherwise, tagged ones included, but may hand over what the kernel can't send; another rule is found."""
    text = FILTER.format("deny tcp dst port {}, deny udp, allow all").replace("Classifier(12/0800) -> MarkIPHeader(14)", entry)
    xdp, tc, other = (
        Router(Explorer(Compilation(check_text(text.format(port), Library.standard()), Options(hook=hook))))
        for hook, port in (("xdp", 80), ("tc", 80), ("tc", 81))
    )
    found = compare(xdp, tc)
    assert (found.verdict, found.open) == (Verdict.PROVED, [])
    found = compare(xdp, other)
    assert found.verdict is Verdict.REFUTED
    assert {each.old.fate for each in found.differences} == {Fate.SENT, Fate.DROPPED}


def test_tables_as_they_are():
    """What elements remember may be anything, or is as it is."""
    made = Compilation(check_text(SWITCH, Library.standard()))
    (asked,) = questions.read("from eth0: not on eth1", "rules")
    assert Router(Explorer(made)).answer(asked).verdict is Verdict.REFUTED
    assert Router(Explorer(made, initial_tables(made))).answer(asked).verdict is Verdict.PROVED


@pytest.mark.whole
def test_translators():
    """Whatever a translator's tables contain, nothing but addresses, ports, checksums and the TTL changes (RFC 3022, 4.1)."""
    (rule,) = [each for each in questions.read(NAT_RULES.read_text(), "nat.rules") if each.pattern == "tcp and ip hl 5"]
    found = router(NAT).answer(rule)
    assert (found.verdict, found.open) == (Verdict.PROVED, [])


def test_cost():
    """What packets cost at most is known."""
    made = router(FILTER.format("deny tcp dst port 80, allow all"))
    for question, verdict in (("forall: cost <= 500", Verdict.PROVED), ("forall ip: cost <= 30", Verdict.UNDECIDED)):
        (asked,) = questions.read(f"{question} instructions", "rules")
        assert made.answer(asked).verdict is verdict
    assert "up to" in made.answer(asked).open[0]


def test_what_is_no_question():
    """Questions that can't be read, or name what there isn't, are refused."""
    with pytest.raises(ClickError, match="rules:2:.*no question"):
        questions.read("no drop without a reason\nforall ip ttl", "rules")
    with pytest.raises(ClickError, match="no field 'ttl'"):
        questions.read("forall sent: only ttl change", "rules")
    with pytest.raises(ClickError, match="no number of instructions"):
        questions.read("forall ip: cost <= few instructions", "rules")
    with pytest.raises(ClickError, match="no device eth7"):
        answer(FILTER.format("allow all"), "forall udp: not on eth7")
