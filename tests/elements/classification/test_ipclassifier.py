"""IPClassifier on packets whole, in fragments and too short; facts of Click's manual page and its tests."""

import random

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import Ether

from clickbpf.testing.equivalence import assert_element_equivalent
from clickbpf.testing.packets import Mix, generate
from clickbpf.testing.reach import Reach
from clickbpf.testing.router import Router
from clickbpf.testing.single import ETHERNET, ElementRouter

from .compiled import program
from .patterns import MEANINGS, header_length, is_whole_header, random_pattern

MIX = Mix(addresses=("10.0.0.1", "10.0.0.2", "10.1.0.9", "192.0.2.1"), ports=(53, 80, 1023, 1024))
IP_PACKETS = [frame[14:] for frame in generate(500, seed=5, mix=MIX) if is_whole_header(frame)]


def output_of(x: ElementRouter, packet) -> int | None:
    """The output by which a packet leaves, or None."""
    x.send(packet)
    if not x._waiting:
        return None
    carried, _ = x._waiting.pop()
    return carried.input


# -- the meaning of directives -------------------------------------------------------------------------------------------


def test_each_directive_means_what_it_says():
    """Each is true of some packets and false of others, side by side in one router."""
    lines = [f"FromDevice(in) -> Strip(14) -> MarkIPHeader -> t :: Tee({len(MEANINGS)});"]
    lines += [f"t[{n}] -> c{n} :: IPClassifier({text}) -> Queue -> ToDevice(out{n});" for n, text in enumerate(MEANINGS)]
    seen: dict[str, set[bool]] = {text: set() for text in MEANINGS}
    with Router("\n".join(lines), "native") as router:
        for packet in IP_PACKETS:
            matching = {output.device for output in router.send("in", ETHERNET + packet)}
            for n, (text, meaning) in enumerate(MEANINGS.items()):
                assert (f"out{n}" in matching) == meaning(packet), (text, packet.hex())
                seen[text].add(meaning(packet))
    assert [text for text, results in seen.items() if len(results) == 1] == ["true"]


@pytest.mark.parametrize("seed", range(6))
def test_random_expressions(seed):
    """Several at once, so that what one asks another uses."""
    choose = random.Random(seed)
    patterns = [random_pattern(choose) for _ in range(choose.choice((1, 3, 8, 20)))]
    with ElementRouter(f"IPClassifier({', '.join(text for text, _ in patterns)})", noutputs=len(patterns), headers="ip") as x:
        for packet in IP_PACKETS:
            wanted = next((number for number, (_, holds) in enumerate(patterns) if holds(packet)), None)
            assert output_of(x, packet) == wanted, packet.hex()


@pytest.mark.needs("root")
@pytest.mark.parametrize("seed", (1, 2))
def test_both_executors_agree(seed):
    """On frames of all kinds, truncated, damaged, or no IP at all."""
    choose = random.Random(seed)
    texts = [random_pattern(choose)[0] for _ in range(6)] + ["src ether host 02:00:00:00:00:02", "-"]
    assert_element_equivalent(f"IPClassifier({', '.join(texts)})", noutputs=8, headers="ip", packets=2000, mix=MIX)


def test_the_examples_of_the_manual(element):
    x = element("IPClassifier(10.0.0.0/24 and syn, 10.0.0.0/24 and fin ack, 10.0.0.0/24 and tcp, -)", noutputs=4, headers="ip")
    for flags, output in (("S", 0), ("FA", 1), ("F", 2), ("A", 2)):
        assert output_of(x, IP(src="10.0.0.9", dst="1.2.3.4") / TCP(flags=flags)) == output
    assert output_of(x, IP(src="10.0.1.9", dst="1.2.3.4") / TCP(flags="S")) == 3
    y = element("IPClassifier(dst tcp port 8000 or 8080, dst tcp port > 1023, tcp)", noutputs=3, headers="ip")
    for port, output in ((8000, 0), (8080, 0), (8081, 1), (1023, 2)):
        assert output_of(y, IP() / TCP(dport=port)) == output
    assert output_of(y, IP() / UDP(dport=8000)) is None


# -- fragments and short packets -------------------------------------------------------------------------------------------


def test_later_fragments_have_no_ports(element):
    """A directive about them is false, and so is its opposite by an operator; `not` turns it over."""
    patterns = "src port 80, src port != 80, icmp type 8, syn, transp[0] >= 0, udp, -"
    x = element(f"IPClassifier({patterns})", noutputs=7, headers="ip")
    first, later = ({"flags": "MF"}, {"frag": 10})
    ports = UDP(sport=80)
    assert output_of(x, IP(**first) / ports) == 0
    assert output_of(x, IP(proto=17, **later) / bytes(ports)) == 5
    assert output_of(x, IP(proto=1, **later) / bytes(ICMP())) == 6
    y = element("IPClassifier(not src port 80, -)", noutputs=2, headers="ip")
    assert output_of(y, IP(proto=17, **later) / bytes(ports)) == 0
    assert output_of(y, IP() / ports) == 1


@pytest.mark.executors("native")
def test_directives_are_false_of_packets_that_end_before_their_bytes(element):
    """As in Click's tests of IPFilter and short packets: `!=` needs the bytes too, `not` doesn't."""
    packet = bytes(IP(proto=17, len=28) / bytes(UDP(sport=0x0202, dport=0x0304)))
    cases = {
        "transp[1] & 128 == 0": 22,
        "transp[1] & 128 != 128": 22,
        "src port 0x0202": 22,
        "src port != 5": 22,
        "src port > 5": 22,
        "src port > 255": 21,  # the upper byte is greater, whatever follows
        "dst port 0x0304": 24,
        "ip[19] & 128 == 0": 20,
        "dst host 127.0.0.1": 20,
        "dst host != 1.2.3.4": 20,
        "ip unfrag": 8,
        "ip ttl > 5": 9,
    }
    for text, needs in cases.items():
        x = element(f"IPClassifier({text}, not ({text}))", noutputs=2, headers="ip")
        for length in range(1, len(packet) + 1):
            assert output_of(x, packet[:length]) == int(length < needs), (text, length)
        x.close()


def test_necessary_checks_of_the_length_stay(element):
    """`transp[1] & 128 == 0 || transp[1] & 128 == 128` is not true of all packets: not of those without that byte."""
    x = element("IPClassifier(transp[1] & 128 == 0 || transp[1] & 128 == 128, -)", noutputs=2, headers="ip")
    packet = bytes(IP(proto=17) / bytes(8))
    assert [output_of(x, packet[:length]) for length in (21, 22)] == [1, 0]


def test_options_move_the_ports(element):
    x = element("IPClassifier(dst tcp port 80, -)", noutputs=2, headers="ip-checked")
    packet = IP(bytes(IP(options=b"\x01" * 12) / TCP(dport=80)))
    assert packet.ihl == 8
    assert output_of(x, packet) == 0


def test_packets_without_marked_headers_match_nothing(element):
    x = element("IPClassifier(tcp or not udp and src host 1.2.3.4, icmp type != 8, ip ttl >= 1, -)", noutputs=4)
    assert output_of(x, Ether() / IP() / TCP()) == 3


def test_ethernet_addresses(element):
    x = element(
        "IPClassifier(src ether host 02:00:00:00:00:09, 02:00:00:00:00:01, src ether host & ff:ff:ff:0:0:0 0a:00:00:01:02:03, -)",
        noutputs=4,
        headers="ip-in-ethernet",
    )
    for src, dst, output in (
        ("02:00:00:00:00:09", "02:00:00:00:00:01", 0),
        ("02:00:00:00:00:01", "02:00:00:00:00:09", 1),
        ("02:00:00:00:00:08", "02:00:00:00:00:01", 1),
        ("0a:00:00:07:07:07", "02:00:00:00:00:02", 2),
        ("0a:00:01:07:07:07", "02:00:00:00:00:02", 3),
    ):
        assert output_of(x, Ether(src=src, dst=dst) / IP() / UDP()) == output


# -- changes ---------------------------------------------------------------------------------------------------------------


def test_patterns_can_be_changed(element):
    x = element("IPClassifier(tcp  port 80, -)", noutputs=2, headers="ip")
    assert (x.read("pattern0"), x.read("pattern1")) == ("tcp  port 80", "-")
    web, names = IP() / TCP(dport=80), IP() / UDP(dport=53)
    assert [output_of(x, packet) for packet in (web, names)] == [0, 1]
    x.write("pattern0", "udp port dns")
    assert [output_of(x, packet) for packet in (web, names)] == [1, 0]
    x.write("pattern1", "false")
    assert [output_of(x, packet) for packet in (web, names)] == [None, 0]
    assert (x.read("pattern0"), x.read("program")) == ("udp port dns", program("udp port dns, false", 2))
    x.write("pattern0", "tcp  port 80")
    x.write("pattern1", "-")
    assert [output_of(x, packet) for packet in (web, names)] == [0, 1]


def test_changes_that_make_no_sense_change_nothing(element):
    x = element("IPClassifier(tcp, -)", noutputs=2, headers="ip")
    x.refuses("pattern0", "foo", "'foo' is not a word of the pattern language")
    x.refuses("pattern0", " or ".join(f"src host 10.{n}.{n}.1" for n in range(200)), "too long to be changed")
    assert x.read("pattern0") == "tcp"
    assert output_of(x, IP() / TCP()) == 0


@pytest.mark.parametrize("seed", (11, 12))
def test_changed_patterns_mean_what_they_say(seed):
    choose = random.Random(seed)
    chosen = [random_pattern(choose) for _ in range(5)]
    with ElementRouter("IPClassifier(-, -, -, -, -)", noutputs=5, headers="ip") as x:
        for number, (text, _) in enumerate(chosen):
            x.write(f"pattern{number}", text)
        for packet in IP_PACKETS:
            wanted = next((number for number, (_, holds) in enumerate(chosen) if holds(packet)), None)
            assert output_of(x, packet) == wanted, packet.hex()


@pytest.mark.needs("root")
def test_both_executors_agree_on_changed_patterns():
    """On damaged and short packets as well: the program that is followed is the one that would be compiled."""
    texts = ["src ether host 02:00:00:00:00:02 and not tcp", "ip frag", "transp[1] & 1 != 0 or src port > 1023", "-"]
    writes = [(f"x.pattern{number}", text) for number, text in enumerate(texts)]
    assert_element_equivalent("IPClassifier(-, -, -, -)", noutputs=4, headers="ip", packets=500, mix=MIX, writes=writes)
    compiled = ElementRouter(f"IPClassifier({', '.join(texts)})", noutputs=4, headers="ip")
    followed = ElementRouter("IPClassifier(-, -, -, -)", noutputs=4, headers="ip")
    with compiled, followed:
        for name, text in writes:
            followed.write(name, text)
        for frame in generate(1000, seed=9, mix=MIX):
            assert output_of(followed, frame[14:]) == output_of(compiled, frame[14:])


def test_the_header_length_of_the_reference():
    assert {header_length(packet) for packet in IP_PACKETS} > {20}


PUNTS = [Reach("IPClassifier(tcp, -)", noutputs=2, headers="ip-checked", writes=[("pattern0", "udp")])]
