"""AggregateIPFlows: which packets belong together."""

import xml.etree.ElementTree as xml
from contextlib import chdir
from functools import partial
from random import Random

import pytest
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.l2 import Ether
from tests.elements.running import running, settled
from tests.elements.two_cpus import run_on_two_cpus, two_cpus

from clickbpf.errors import ClickError
from clickbpf.testing.equivalence import Twins, arrivals, assert_equivalent
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import HANDED
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.record import split_record
from clickbpf.testing.single import Surroundings

A, B, C = "1.0.0.1", "1.0.0.2", "10.0.0.3"


def flows(tmp_path, rows, arguments: str = "", more: str = "") -> list[str]:
    """`aggregate paint ip_id` of the packets in the order in which they leave. Rows are (time, fields...), see below."""
    lines = "\n".join(" ".join(map(str, row)) for row in rows)
    data = f"!data timestamp src sport dst dport proto ip_id ip_fragoff tcp_flags {more}\n{lines}"
    (tmp_path / "in").write_text(data)
    text = (
        f"FromIPSummaryDump(in) -> f :: AggregateIPFlows({arguments})"
        "-> ToIPSummaryDump(out, HEADER false, FIELDS aggregate paint ip_id) -> Discard;"
        "f[1] -> other :: Counter -> Discard;"
    )
    with chdir(tmp_path), settled(text) as router:
        router.handlers.write("f", "clear", "")
        router.settle()
        others = router.handlers.read("other", "count")
    return [*(tmp_path / "out").read_text().splitlines(), f"others {others}"]


def test_directions_and_ports(tmp_path):
    rows = [(1, B, 9, A, 8, "U", 1), (2, A, 8, B, 9, "U", 2), (3, A, 9, B, 8, "U", 3), (4, B, 9, A, 8, "T", 4), (5, A, 7, A, 6, "U", 5)]
    rows += [(6, A, 6, A, 7, "U", 6), (7, A, 1, B, 2, "I", 7), (8, B, 9, A, 8, "U", 8)]
    assert flows(tmp_path, rows) == ["1 0 1", "1 1 2", "2 0 3", "3 0 4", "4 0 5", "4 1 6", "1 0 8", "others 1"]


def test_silence_ends_a_flow(tmp_path):
    rows = [(time, A, 1, B, 2, "U", number) for number, time in enumerate((1, 61, 122, 182))]
    assert flows(tmp_path, rows) == ["1 0 0", "1 0 1", "2 0 2", "2 0 3", "others 0"]
    assert flows(tmp_path, rows, "UDP_TIMEOUT 59")[:4] == ["1 0 0", "2 0 1", "3 0 2", "4 0 3"]


@pytest.mark.parametrize(
    "flags, expected",
    [
        (["S", "SA", "FA", "FA", "S"], [1, 1, 1, 1, 2]),
        (["S", "SA", "FA", "A", "S"], [1, 1, 1, 1, 1]),
        (["S", "R", "A", "S"], [1, 1, 1, 2]),
    ],
)
def test_tcp_begins_anew_after_its_end(tmp_path, flags, expected):
    """Packets go to and fro. A SYN after a RST, or a FIN in both directions, is another flow."""
    rows = [(1, *((A, 1, B, 2), (B, 2, A, 1))[i % 2], "T", i, "0", flag) for i, flag in enumerate(flags)]
    assert [int(line.split()[0]) for line in flows(tmp_path, rows)[:-1]] == expected


def test_fragments_wait_for_their_ports(tmp_path):
    rows = [
        (1, A, 1, B, 2, "U", 5, "24"),
        (1, A, 3, B, 4, "U", 6, "0"),
        (1, A, 1, C, 2, "U", 7, "0"),
        (2, A, 1, B, 2, "U", 5, "0+"),
        (3, A, 1, B, 2, "U", 8, "24"),
    ]
    # Between A and B all is held back after the fragment, in order; the last one never learns its ports.
    assert flows(tmp_path, rows) == ["2 0 7", "3 0 5", "1 0 6", "3 0 5", "others 0"]
    assert flows(tmp_path, rows, "FRAGMENTS false") == ["1 0 6", "2 0 7", "3 0 5", "others 2"]


def test_old_fragments_are_given_up(tmp_path):
    rows = [(1, A, 1, B, 2, "U", 4, "24"), (40, A, 1, B, 2, "U", 5, "0+"), (41, A, 3, B, 4, "U", 6, "0")]
    assert flows(tmp_path, rows) == ["1 0 5", "2 0 6", "others 0"]


def test_icmp_errors_belong_to_what_they_quote(tmp_path):
    def error(source: str, destination: str) -> bytes:
        quoted = bytes.fromhex("4500001c0000000040110000") + bytes(map(int, f"{source}.{destination}".split("."))) + b"\0\1\0\2" + bytes(4)
        return bytes([3, 1, 0, 0, 0, 0, 0, 0]) + quoted

    (tmp_path / "in").write_text("")
    octal = {direction: "".join(f"\\{byte:03o}" for byte in error(*direction)) for direction in ((A, B), (B, A))}
    rows = [(1, A, 1, B, 2, "U", 1, 0, "-", "-"), (2, C, "-", A, "-", "I", 2, 0, "-", f'"{octal[A, B]}"')]
    assert flows(tmp_path, rows, "ICMP true", "payload")[:2] == ["1 0 1", "1 2 2"]
    assert flows(tmp_path, rows, "", "payload") == ["1 0 1", "others 1"]


def test_a_description_of_the_flows(tmp_path):
    rows = [(1.5, A, 1, B, 2, "U", 1), (3, B, 2, A, 1, "U", 2), (4, A, 1, B, 2, "U", 3), (100, B, 2, A, 1, "U", 4)]
    flows(tmp_path, rows, "TRACEINFO info")
    found = [(flow.attrib, [stream.get("packets") for stream in flow]) for flow in xml.parse(tmp_path / "info").getroot()]
    first, second = found
    assert first[0] == {
        "aggregate": "1", "src": A, "sport": "1", "dst": B, "dport": "2", "begin": "1.500000000", "duration": "2.500000000"
    }  # fmt: skip
    assert first[1] == ["2", "1"]
    assert (second[0]["src"], second[1]) == (B, ["1", "0"])


def test_pulled(tmp_path):
    data = f'FromIPSummaryDump(DATA "!data src dst proto\n{A} {B} U\n{A} {B} I\n{B} {A} U")'
    text = f"{data} -> f :: AggregateIPFlows -> Unqueue -> c :: Counter -> Discard; f[1] -> other :: Counter -> Discard;"
    with settled(text) as router:
        assert (router.handlers.read("c", "count"), router.handlers.read("other", "count")) == ("2", "1")
    with pytest.raises(ClickError, match="incompatible with pull"):
        running(text.replace("Flows", "Flows(FRAGMENTS true)")).__enter__()


def handed_over(router, packets) -> list[bool]:
    """Send packets, each with its device and after a pause; which of them the kernel path hands over."""
    found, run = [], router.run

    def noting(device, packet):
        result = run(device, packet)
        found.append(result[0] == HANDED)
        return result

    router.run = noting
    for send in packets:
        send()
    return found


#: Few hosts and ports, so that flows have many packets.
MIX = Mix(
    links=weights(ethernet=1), contents=weights(ipv4=1), transports=weights(udp=5, tcp=5, icmp=1), addresses=(A, B), ports=(7, 8),
    options=5, wrong=2, damaged=2,
)  # fmt: skip


def udp(source: tuple[str, int], destination: tuple[str, int], **fields) -> bytes:
    return bytes(Ether() / IP(src=source[0], dst=destination[0], **fields) / UDP(sport=source[1], dport=destination[1]) / bytes(20))


def tcp(source: tuple[str, int], destination: tuple[str, int], flags: str) -> bytes:
    return bytes(Ether() / IP(src=source[0], dst=destination[0]) / TCP(sport=source[1], dport=destination[1], flags=flags))


ONE, OTHER, THIRD = (A, 1), (B, 2), (C, 3)


def few_flows(packets: int) -> list[tuple[str, bytes, float]]:
    """Packets of connections that go on for long, some of which end, with a few fragments and pauses."""
    random, made = Random(5), []
    for _ in range(packets):
        source, destination = random.sample([(host, port) for host in (A, B, C) for port in (1, 2, 3)], 2)
        if random.randrange(2):
            packet = tcp(source, destination, random.choices(["A", "S", "FA", "R"], [60, 2, 2, 1])[0])
        else:
            packet = udp(source, destination, **random.choices([{}, {"frag": 3, "id": 9}, {"flags": "MF", "id": 9}], [100, 1, 3])[0])
        made.append(("in0", packet, random.choices([0, 0.02, 0.5, 40], [50, 5, 5, 1])[0]))
    return made


#: Arguments, and packets of 2,000 that the kernel path hands over at the least and at the most.
NUMBERED = {
    "": (100, 1400),
    "ICMP true, TCP_TIMEOUT 90, TCP_DONE_TIMEOUT 9, UDP_TIMEOUT 30, FRAGMENT_TIMEOUT 2, REAP 60": (200, 1700),
    "FRAGMENTS false": (100, 700),
}


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("arguments, hook", list(zip(NUMBERED, ("bpf", "tc", "bpf"))))
def test_both_executors_number_alike(arguments, hook):
    text = Surroundings(f"AggregateIPFlows({arguments})", 1, 2, "ip").text()
    assert_equivalent(text, few_flows(2000), executors=("native", hook))
    assert_equivalent(text, 400, mix=MIX, executors=("native", hook))


@pytest.mark.whole
@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("arguments", NUMBERED)
def test_most_packets_stay_in_the_kernel(arguments):
    with Twins(Surroundings(f"AggregateIPFlows({arguments})", 1, 2, "ip").text(record=False)) as both:
        packets = arrivals(few_flows(2000), both.entries, both.titles, 1, MIX)
        handed = sum(handed_over(both.other, [partial(both.arrive, arrival) for arrival in packets]))
    least, most = NUMBERED[arguments]
    assert least <= handed <= most


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize(
    "packets, handed",
    [
        ([udp(ONE, OTHER), udp(ONE, OTHER), udp(OTHER, ONE), udp(ONE, THIRD)], [True, False, False, True]),
        ([tcp(ONE, OTHER, "S"), tcp(OTHER, ONE, "SA"), tcp(ONE, OTHER, "A"), tcp(ONE, OTHER, "FA")], [True, True, False, True]),
        # All between two hosts waits for a fragment's ports, whatever its flow; others' packets don't.
        (
            [udp(ONE, OTHER), udp(ONE, THIRD), udp(ONE, OTHER, frag=3, id=9), udp(ONE, OTHER), udp(OTHER, ONE), udp(THIRD, ONE)],
            [True, True, True, True, True, False],
        ),
        ([udp(ONE, OTHER), udp(ONE, OTHER, flags="MF", id=9), udp(ONE, OTHER, frag=3, id=9), udp(ONE, OTHER)], [True] * 4),
    ],
    ids=["both directions", "ends of a connection", "a fragment", "fragments with ports"],
)
def test_what_the_kernel_hands_over(packets, handed):
    with start(Surroundings("AggregateIPFlows", 1, 2, "ip").text(record=False), "bpf", simtime=1) as router:
        assert handed_over(router, [partial(router.send, "in0", packet) for packet in packets]) == handed


@pytest.mark.needs("root", "clang-19")
def test_a_flow_that_is_over_is_the_runtimes():
    """By the time of its last packet, which the kernel path saw."""
    with start(Surroundings("AggregateIPFlows(UDP_TIMEOUT 10)", 1, 2, "ip").text(record=False), "bpf", simtime=1) as router:
        handed = []
        for pause in (0, 8, 8, 8, 12, 1):
            router.advance(pause)
            handed += handed_over(router, [partial(router.send, "in0", udp(ONE, OTHER))])
        assert handed == [True, False, False, False, True, False]


@pytest.mark.needs("root", "clang-19")
def test_a_flow_is_over_by_the_second_of_its_last_packet():
    """Even if that came within the step in which the kernel path leaves times as they are."""
    with Twins(Surroundings("AggregateIPFlows(UDP_TIMEOUT 10)", 1, 2, "ip").text()) as both:
        numbers = []
        for pause in (0.9998, 0.0004, 10.5):  # from a whole second on
            both.advance(pause)
            (output,) = both.send("in0", udp(ONE, OTHER))
            numbers.append(split_record(output.data)[0]["AGGREGATE"])
        assert numbers == [1, 1, 1]


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("packet", [udp(ONE, OTHER), udp(ONE, OTHER, proto=47), bytes(Ether() / bytes(40))], ids=["udp", "gre", "no-ip"])
def test_packets_without_a_timestamp_get_one(packet):
    """Whether or not they are of a flow."""
    text = """FromDevice(in) -> Strip(14) -> MarkIPHeader -> SetTimestamp(0) -> flows :: AggregateIPFlows -> StoreTimestamp(0)
	-> Queue -> ToDevice(out); flows[1] -> StoreTimestamp(0) -> Queue -> ToDevice(others);"""
    with Twins(text) as both:
        for _ in range(2):
            (output,) = both.send("in", packet)
            assert any(output.data[:8])


@pytest.mark.needs("root", "clang-19")
def test_the_description_has_what_the_kernel_saw(tmp_path):
    text = Surroundings(f"AggregateIPFlows(TRACEINFO {tmp_path}/info)", 1, 2, "ip").text()
    with start(text, "bpf", simtime=1) as router:
        for packet in (udp(OTHER, ONE), udp(ONE, OTHER), udp(OTHER, ONE), udp(OTHER, ONE)):
            router.advance(0.5)
            router.send("in0", packet)
    (flow,) = xml.parse(tmp_path / "info").getroot()
    assert [stream.get("packets") for stream in flow] == ["3", "1"]
    assert (flow.get("src"), flow.get("duration")) == (B, "1.500000000")


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("ran_by", ["native", "bpf"])
def test_flows_are_described_by_their_last_packets(tmp_path, ran_by):
    """Whoever has seen these: that of the first flow stays in the kernel."""
    text = Surroundings(f"AggregateIPFlows(TRACEINFO {tmp_path}/info)", 1, 2, "ip").text()
    with start(text, ran_by, simtime=1) as router:
        for port in (1, 2, 3, 1):
            router.advance(0.5)
            router.send("in0", udp((A, port), OTHER))
    assert [flow.get("aggregate") for flow in xml.parse(tmp_path / "info").getroot()] == ["1", "3", "2"]


@pytest.mark.needs("root", "clang-19")
@two_cpus
def test_cpus_that_count_at_the_same_time_lose_nothing(tmp_path):
    text = Surroundings(f"AggregateIPFlows(TRACEINFO {tmp_path}/info)", 1, 2, "ip-in-ethernet").text(record=False)
    packet, times = udp(ONE, OTHER), 2_000_000
    with start(text, "bpf", simtime=1) as router:
        router.send("in0", packet)
        run_on_two_cpus(router, "in0", packet, times)
        assert list(router.runtime.views["x"]["known"][1].packets) == [2 * times + 1, 0]


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("ran_by", ["native", "bpf"])
def test_the_flow_silent_for_longest_makes_room(ran_by):
    """Also if its packets, and those of others, stay in the kernel."""
    with start(Surroundings("AggregateIPFlows(CAPACITY 3)", 1, 2, "ip").text(), ran_by, simtime=1) as router:
        found = []
        for port in (1, 2, 3, 1, 1, 2, 4, 2, 1, 3):
            router.advance(0.01)
            (output,) = router.send("in0", udp((A, port), OTHER))
            found.append(split_record(output.data)[0]["AGGREGATE"])
        assert found == [1, 2, 3, 1, 1, 2, 4, 2, 1, 5]
        assert router.read("x.evicted") == "2"


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("packets", [[2] * 150, [2] * 140 + [1] * 10], ids=["in turn", "some silent"])
def test_many_flows_make_room_in_the_order_of_their_last_packets(packets):
    """Each has as many packets as `packets` says, the second one after the first ones of all."""
    order = [flow for number in (1, 2) for flow, count in enumerate(packets) if count == number]
    with Twins(Surroundings("AggregateIPFlows(CAPACITY 150)", 1, 2, "ip").text()) as both:

        def number(port: int) -> int:
            both.advance(0.01)
            (output,) = both.send("in0", udp((A, port + 1), OTHER))
            return split_record(output.data)[0]["AGGREGATE"]

        assert [number(flow) for flow in range(150)] == list(range(1, 151))
        assert all(number(flow) == flow + 1 for flow, count in enumerate(packets) if count == 2)
        assert [number(1000 + new) for new in range(5)] == list(range(151, 156))
        assert [number(flow) for flow in order[5:]] == [flow + 1 for flow in order[5:]]
        assert [number(flow) for flow in order[:5]] == list(range(156, 161))


def test_a_new_runtime_begins_anew():
    """The kernel path finds no flow in the entries that one before it has left."""
    text = f'FromIPSummaryDump(DATA "!data src dst proto\n{A} {B} U\n{A} {C} U") -> f :: AggregateIPFlows -> Discard;'
    with settled(text) as router:
        left = {name: view for name, view in router.views["f"].items() if name != "flows"}
        assert [left["known"][number].generation for number in (1, 2)] == [1, 1]
        with settled(text.replace(C, B), memories={"f": left}):
            assert [left["known"][number].generation for number in (1, 2)] == [3, 2]
            assert left["shared"].used == 1
