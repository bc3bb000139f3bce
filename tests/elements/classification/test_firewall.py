"""configs/firewall.click: 17 rules do what each of them says, and cost a fraction of seventeen."""

import random
from pathlib import Path

import pytest
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.l2 import ARP, Ether
from tests.classify import meaning
from tests.classify.meaning import classify

from clickbpf.classify.graph import Decision, Leaf, Node, all_tests, in_order
from clickbpf.compile import check_text
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.single import ETHERNET
from clickbpf.vocabulary.library import Library

from .patterns import Predicate, carried, host, number

FIREWALL = Path(__file__).parents[3] / "configs" / "firewall.click"

INTERNAL, BASTION, FEED = "192.0.2.0/24", "198.51.100.10", "203.0.113.119"
MAIL, NEWS, DNS = "192.0.2.25", "192.0.2.119", "192.0.2.53"
FTP, SSH, TELNET, SMTP, DOMAIN, WWW, NNTP = 21, 22, 23, 25, 53, 80, 119
SERVICES = (FTP, SSH, TELNET, SMTP, DOMAIN, WWW, NNTP)
HIGH = range(1024, 65536)
ACK = 16

MIX = Mix(
    contents=weights(ipv4=30, arp=1, noise=1),
    transports=weights(tcp=8, udp=3, icmp=1),
    addresses=(BASTION, FEED, MAIL, NEWS, DNS, "192.0.2.77", "1.2.3.4"),
    ports=(*SERVICES, 1023, 1024, 4000),
    damaged=5,
)


def rule(source: str, destination: str, protocol: int, sport, dport, ack: bool = False) -> Predicate:
    """A rule of the book's table: what it lets through."""

    def ports(data: bytes) -> bool:
        return number(data, 0, 2) in sport and number(data, 2, 2) in dport and (not ack or data[13] & ACK != 0)

    services = carried(ports, 14 if ack else 4, protocol)
    return lambda ip: host(12, source)(ip) and host(16, destination)(ip) and services(ip)


ANY, ANYONE = range(65536), "0.0.0.0/0"
ALLOWED = [
    rule(BASTION, INTERNAL, 6, (WWW,), HIGH, ack=True),
    rule(ANYONE, INTERNAL, 6, (TELNET,), HIGH, ack=True),
    rule(ANYONE, INTERNAL, 6, (SSH,), ANY, ack=True),
    rule(ANYONE, INTERNAL, 6, ANY, (SSH,)),
    rule(ANYONE, INTERNAL, 6, (FTP,), HIGH, ack=True),
    rule(ANYONE, INTERNAL, 6, HIGH, HIGH, ack=True),
    rule(BASTION, INTERNAL, 6, (FTP,), HIGH, ack=True),
    rule(BASTION, INTERNAL, 6, HIGH, HIGH),
    rule(BASTION, MAIL, 6, (SMTP,), HIGH, ack=True),
    rule(BASTION, MAIL, 6, HIGH, (SMTP,)),
    rule(FEED, NEWS, 6, (NNTP,), HIGH, ack=True),
    rule(FEED, NEWS, 6, HIGH, (NNTP,)),
    rule(BASTION, DNS, 17, (DOMAIN,), (DOMAIN,)),
    rule(BASTION, DNS, 6, (DOMAIN,), HIGH, ack=True),
    rule(BASTION, DNS, 6, HIGH, (DOMAIN,)),
]


CONVERSATIONS = (
    (BASTION, MAIL, SMTP),
    (FEED, NEWS, NNTP),
    (BASTION, DNS, DOMAIN),
    (BASTION, "192.0.2.77", WWW),
    ("1.2.3.4", DNS, SSH),
    ("192.0.2.77", MAIL, FTP),
    (FEED, "1.2.3.4", TELNET),
)


def packets(count: int) -> list[bytes]:
    """IP packets that the rules are about."""
    choose = random.Random(17)
    made = []
    for _ in range(count):
        src, dst, service = choose.choice(CONVERSATIONS)
        tcp = choose.randrange(3) > 0
        service = choose.choice((service, service, *SERVICES))
        ports = (service, 4000), (4000, service), (service, service), (4000, 1024), (1023, 4000), (service, 1023)
        sport, dport = choose.choice(ports)
        flags = choose.choice(("A", "S", "SA", "PA", "R"))
        body = bytes(TCP(sport=sport, dport=dport, flags=flags) if tcp else UDP(sport=sport, dport=dport))
        frag, options = choose.choice((0, 0, 0, 0, 0, 7)), b"\x01" * choose.choice((0, 0, 4))
        header = IP(src=src, dst=dst, proto=6 if tcp else 17, frag=frag, options=options)
        made.append(bytes(header / body[: choose.choice((20, 20, 20, 13, 2))]))
    return made


def test_packets_pass_if_a_rule_allows_them(router):
    firewall = router(str(FIREWALL))
    needed = set()
    for ip in packets(2000):
        sent = firewall.send("eth0", ETHERNET + ip)
        allowing = [number for number, holds in enumerate(ALLOWED) if holds(ip)]
        assert bool(sent) == (bool(allowing) and not host(12, INTERNAL)(ip)), ip.hex()
        needed |= set(allowing[:1]) if sent else set()
    # Of the rules of FTP by proxy, the first allows nothing that the one for all hosts doesn't.
    assert needed == set(range(len(ALLOWED))) - {6}


def test_arp_passes_and_the_inside_may_send_what_it_likes(router):
    firewall = router(str(FIREWALL))
    for device, other, frame in (("eth0", "eth1", Ether() / ARP()), ("eth1", "eth0", Ether() / IP(src=DNS) / UDP())):
        firewall.forwards(device, frame, other)


@pytest.mark.needs("root")
def test_both_executors_agree():
    assert_equivalent(str(FIREWALL), 2000, mix=MIX)


# -- what it costs -----------------------------------------------------------------------------------------------------------

QUESTION = bytes(IP(src=BASTION, dst=DNS) / TCP(sport=4000, dport=DOMAIN, flags="S"))


REGIONS = {"ip": QUESTION, "transp": QUESTION[20:]}
NAMES = FIREWALL.read_text().partition("AddressInfo(")[2].partition(");")[0]
NAMES = f"AddressInfo({NAMES});"


@pytest.fixture(scope="module")
def firewall():
    return check_text(FIREWALL.read_text(), Library.standard())


@pytest.fixture(scope="module")
def program(firewall):
    return firewall.instances["filter"].program


def asked(node: Node) -> list:
    """The tests on the way of the question."""
    tests = []
    while not isinstance(node, Leaf):
        tests.append(node.test)
        node = node.yes if meaning.holds(node.test, REGIONS) else node.no
    return tests




def test_a_question_to_the_name_server_is_asked_little(firewall):
    """The sixteenth rule lets it through: what the rules before it ask, each by itself, is asked once for all."""
    element = firewall.instances["filter"]
    one_by_one = 0
    for text in element.cfg.rule:
        alone = check_text(f"{NAMES} Idle -> x :: IPFilter({text}) -> Discard;", Library.standard()).instances["x"]
        one_by_one += len(asked(alone.program.graph))
        if alone.program.outputs() == {None, 0} and classify(alone.program.graph, REGIONS) == 0:
            break
    assert text == element.cfg.rule[15]
    together = asked(element.program.graph)
    assert len(set(together)) == len(together)
    assert one_by_one >= 3 * len(together)


def test_no_test_is_made_twice_on_any_way(program):
    ways = 0

    def walk(node: Node, before: frozenset) -> None:
        nonlocal ways
        if isinstance(node, Decision):
            assert node.test not in before
            for after in (node.yes, node.no):
                walk(after, before | {node.test})
        else:
            ways += 1

    walk(program.graph, frozenset())
    assert ways > 50


def test_the_graph_is_small(program):
    """Click's own program for these rules has 56 tests."""
    assert len(list(all_tests(in_order(program.graph)))) <= 56
