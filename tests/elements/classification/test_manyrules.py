"""Rules that are too many to be code are data (_rules.py), and mean what they mean as code."""

import random
from ipaddress import IPv4Address

import pytest
from scapy.layers.inet import IP, TCP, UDP
from tests.classify.meaning import classify

from clickbpf.classify import MOST_RULES
from clickbpf.compile import NativeRouter, check_text
from clickbpf.runtime.handlers import HandlerError
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.packets import Mix, generate
from clickbpf.testing.single import Surroundings
from clickbpf.vocabulary.library import Library

COUNT = MOST_RULES + 40
MIX = Mix(ports=(53, 80, 1024))
#: What rules ask besides addresses.
OTHERS = ("true", "tcp", "udp && src port 53", "dst port >= 80 && dst port < 1025", "icmp type echo", "tcp syn && not ack", "ip frag")


def patterns(count: int = COUNT, seed: int = 1) -> list[str]:
    """Some of the few networks that generated packets are from, others of none; few are true of many packets."""
    chosen = random.Random(seed)
    made = []
    for number in range(count):
        own = f"{number >> 8}.{number % 256}"
        net = chosen.choice(("10.0.0.0/8", "10.0.0.0/30", "192.168.0.0/16", f"172.{own}.0/24", f"203.0.{own}/32"))
        side, than = chosen.choice(("src", "dst", "src or dst")), chosen.choice(("<", ">", "=="))
        made.append(f"{side} net {net} && ip ttl {than} {chosen.randrange(256)} && {chosen.choice(OTHERS)}")
    return made


def filter_of(texts: list[str], seed: int = 2) -> str:
    chosen = random.Random(seed)
    return f"IPFilter({', '.join(f'{chosen.randrange(3)} {text}' for text in texts)})"


def instance(text: str, outputs: int):
    ends = "".join(f"x[{port}] -> Discard;" for port in range(outputs))
    return check_text(f"x :: {text}; Idle -> x; {ends}", Library.standard()).instances["x"]


def raw(count: int = COUNT) -> list[str]:
    """Patterns of Classifier for IP packets, of which some match short ones."""
    chosen = random.Random(3)
    protocols = [chosen.choice(("06", "11", "01")) for _ in range(count)]
    return [f"9/{protocol} 8/{n:02x} {'!' * (n % 3 == 0)}22/0{n % 4}?{n % 10}" for n, protocol in enumerate(protocols)]


@pytest.mark.needs("root")
@pytest.mark.parametrize("kind", ["IPFilter", pytest.param("Classifier", marks=pytest.mark.whole)])
def test_both_executors_agree(kind):
    text = filter_of(patterns()) if kind == "IPFilter" else f"Classifier({', '.join(raw(COUNT - 1))}, -)"
    outputs = 3 if kind == "IPFilter" else COUNT
    assert instance(text, outputs).program.vectors
    assert_equivalent(Surroundings(text, noutputs=outputs, headers="ip-checked").text(record=False), 500, mix=MIX)


def network(chosen: random.Random) -> str:
    (length,) = chosen.choices((12, 16, 18, 20, 22, 24), (2, 6, 6, 12, 20, 54))
    return f"{IPv4Address(chosen.randrange(1 << 24, 223 << 24) >> 32 - length << 32 - length)}/{length}"


def overlapping(count: int) -> list[str]:
    """Networks of several sizes and ranges of ports: ways through the graph of such rules part and meet again."""
    chosen = random.Random(1)
    made = []
    for _ in range(count):
        port = chosen.randrange(60_000)
        ports = f"dst port >= {port} && dst port <= {port + 1000}" if chosen.random() < 0.25 else f"dst port {port}"
        made.append(f"dst net {network(chosen)} && tcp && {ports}" + (f" && src net {network(chosen)}" if chosen.random() < 0.7 else ""))
    return made


@pytest.mark.whole
@pytest.mark.needs("root")
def test_the_kernel_takes_graphs_in_which_ways_meet():
    """The verifier would check more than a million instructions if it knew on each way what was compared before ways met."""
    text = filter_of(overlapping(100))
    assert not instance(text, 3).program.vectors
    assert_equivalent(Surroundings(text, noutputs=3, headers="ip-checked").text(record=False), 300, mix=MIX)


def regions(ip: bytes) -> dict[str, bytes]:
    return {"ip": ip, "transp": ip[4 * (ip[0] & 15) :]}


def as_code(texts: list[str], outputs: int) -> list:
    """The graphs of filters that have a part of the rules each, and let go on what none of them is true of by another output."""
    parts = [instance(f"IPFilter({', '.join(texts[at : at + 40])}, {outputs} all)", outputs + 1) for at in range(0, len(texts), 40)]
    assert not any(part.program.vectors for part in parts)
    return [part.program.graph for part in parts]


def packets(count: int) -> list[bytes]:
    found = [frame[14:] for frame in generate(count, seed=7, mix=MIX) if len(frame) >= 34 and frame[12:14] == b"\x08\x00"]
    short = [bytes(IP(src="10.0.0.1", dst="10.0.0.2", ttl=9) / layer)[:length] for layer in (TCP(), UDP()) for length in range(20, 40)]
    return [ip for ip in found + short if ip[0] >> 4 == 4 and len(ip) >= 4 * (ip[0] & 15) >= 20]


def expected(graphs: list, ip: bytes, outputs: int) -> int | None:
    found = (classify(graph, regions(ip)) for graph in graphs)
    return next((output for output in found if output != outputs), None)


def split(text: str) -> list[str]:
    return text.partition("(")[2].removesuffix(")").split(", ")


def assert_goes(x, texts: list[str], count: int) -> None:
    graphs, seen = as_code(texts, 3), set()
    for ip in packets(count):
        output = expected(graphs, ip, 3)
        seen.add(output)
        x.send(ip)
        if output is not None:
            x.expect(output, ip)
        x.expect_nothing()
    assert seen == {None, 0, 1, 2}


@pytest.mark.whole
def test_they_mean_what_they_mean_as_code(element):
    text = filter_of(patterns())
    assert_goes(element(text, noutputs=3, headers="ip"), split(text), 400)


@pytest.mark.whole
def test_other_rules_take_their_place_without_being_compiled(element, monkeypatch):
    x = element(filter_of(patterns()), noutputs=3, headers="ip")
    monkeypatch.setattr(NativeRouter, "first", property(lambda _: pytest.fail("code was compiled")))
    after = filter_of(patterns(COUNT - 11, 11), 11)
    x.write("config", after.partition("(")[2].removesuffix(")"))
    assert_goes(x, split(after), 300)
    x.write("config", "2 src net 10.0.0.0/8, 1 all")
    assert x.read("program").splitlines()[0] == " 0 268/0a000000%ff000000  yes->[2]  no->[1]"


@pytest.mark.whole
@pytest.mark.executors("native")
def test_more_rules_than_there_is_room_for_are_refused(element):
    x = element(filter_of(patterns()), noutputs=3, headers="ip")
    with pytest.raises(HandlerError, match="no room for so many rules"):
        x.write("config", filter_of(patterns(4 * COUNT)).partition("(")[2].removesuffix(")"))
    assert_goes(x, split(filter_of(patterns())), 300)
