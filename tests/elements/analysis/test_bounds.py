"""Bounds on the state of elements that distinguish aggregates and flows: whatever packets can make longer is bounded, and losses
are counted."""

from contextlib import chdir

import pytest
from tests.elements.running import settled

A, B, C, D = "1.0.0.1", "1.0.0.2", "10.0.0.3", "10.0.0.4"


def leaving(tmp_path, data: str, element: str, fields: str, *reads: str, clear: bool = False) -> list:
    """What leaves by the two outputs of `x` with these fields, and what its handlers say in the end."""
    text = f'x :: {element}; FromIPSummaryDump(DATA "{data}") -> x;'
    text += "".join(f"x[{i}] -> ToIPSummaryDump(out{i}, HEADER false, FIELDS {fields}) -> Discard;" for i in (0, 1))
    with chdir(tmp_path), settled(text) as router:
        if clear:
            router.handlers.write("x", "clear", "")
            router.settle()
        said = [router.handlers.read("x", read) for read in reads]
    return [*((tmp_path / f"out{i}").read_text().splitlines() for i in (0, 1)), *said]


def test_of_other_aggregates_there_are_no_counts(tmp_path):
    """As if it were frozen, also where a packet has no bytes, which makes no aggregate for AGGREGATE_FREEZE."""
    data = "!data aggregate ip_len\\n1 40\\n2 40\\n3 40\\n1 40\\n4 40\\n2 40".replace("\\n", "\n")
    element = "AggregateCounter(CAPACITY 2)"
    assert leaving(tmp_path, data, element, "aggregate", "nagg", "count", "no_room") == [["1", "2", "1", "2"], ["3", "4"], "2", "4", "2"]
    assert leaving(tmp_path, data, element, "aggregate", "nagg", "no_room", clear=True)[2:] == ["0", "2"]


def test_other_packets_have_no_number(tmp_path):
    data = "!data aggregate count\n7 1\n7 2\n7 3\n7 1\n9 1"
    text = f'c :: AggregatePacketCounter(ANNO EXTRA_PACKETS, CAPACITY 2); FromIPSummaryDump(DATA "{data}") -> c -> n :: Counter -> Discard;'
    with settled(text) as router:
        assert [router.handlers.read(*of) for of in (("n", "count"), ("c", "count"), ("c", "no_room"))] == ["5", "3", "2"]
        assert router.handlers.read("c", "received", "7") == "0\n1\n"


def test_the_first_of_so_many(tmp_path):
    data = "!data aggregate ip_id\n1 1\n2 2\n3 3\n1 4\n3 5"
    found = leaving(tmp_path, data, "AggregateFirst(CAPACITY 2)", "ip_id", "no_room")
    assert found == [["1", "2"], ["3", "4", "5"], "2"]


def test_what_is_kept_for_long_makes_room(tmp_path):
    """Two packets are kept. Each new aggregate is the end of another, and each that ended leaves once, with what it stands for."""
    data = "!data aggregate ip_id\n1 1\n2 2\n1 3\n3 4\n4 5\n1 6"
    first, others, evicted = leaving(tmp_path, data, "AggregateLast(CAPACITY 2)", "aggregate ip_id count", "evicted", clear=True)
    assert evicted == "3"
    assert others == ["1 1 1"]
    assert sorted(first) == ["1 3 2", "1 6 1", "2 2 1", "3 4 1", "4 5 1"]


def test_pairs_that_had_a_number_for_long_make_room(tmp_path):
    """Only two have one at a time; a pair that comes back after its end gets another number, and listeners are notified."""
    data = f"!data src dst\n{A} {B}\n{A} {C}\n{A} {D}\n{A} {B}\n{A} {C}\n{A} {D}"
    text = (
        f'FromIPSummaryDump(DATA "{data}") -> f :: AggregateIPAddrPair(CAPACITY 2) -> t :: Tee -> l :: AggregateLast(NOTIFIER f)'
        " -> ToIPSummaryDump(over, HEADER false, FIELDS aggregate) -> Discard;"
        "t[1] -> ToIPSummaryDump(out, HEADER false, FIELDS aggregate ip_dst) -> Discard;"
    )
    with chdir(tmp_path), settled(text) as router:
        evicted = int(router.handlers.read("f", "evicted"))
    rows = [line.split() for line in (tmp_path / "out").read_text().splitlines()]
    over = (tmp_path / "over").read_text().split()
    numbers = {number for number, _ in rows}
    assert len(rows) == 6
    assert len({(number, to) for number, to in rows}) == len(numbers)  # a number is one pair's
    assert evicted == len(numbers) - 2 == len(over) >= 2
    assert [int(number) for number in dict.fromkeys(number for number, _ in rows)] == list(range(1, len(numbers) + 1))


@pytest.fixture
def flows(tmp_path):
    """flows(rows, arguments, *reads): `aggregate ip_id` of what leaves AggregateIPFlows, and what handlers say."""

    def make(rows, arguments: str, *reads: str) -> list:
        lines = "\n".join(" ".join(map(str, row)) for row in rows)
        data = f"!data timestamp src sport dst dport proto ip_id ip_fragoff\n{lines}"
        return leaving(tmp_path, data, f"AggregateIPFlows({arguments})", "aggregate ip_id", *reads)

    return make


def test_the_flow_that_was_silent_for_longest_is_over(flows):
    """The first is heard of again before a third comes, so the second makes room; it gets a new number when it goes on."""
    rows = [(1, A, 1, B, 2, "U", 1, 0), (2, A, 1, C, 2, "T", 2, 0), (3, B, 2, A, 1, "U", 3, 0), (4, A, 5, B, 6, "U", 4, 0)]
    rows += [(5, A, 1, B, 2, "U", 5, 0), (6, A, 1, C, 2, "T", 6, 0), (7, A, 1, B, 2, "U", 7, 0)]
    found = flows(rows, "CAPACITY 2", "evicted")
    assert found == [["1 1", "2 2", "1 3", "3 4", "1 5", "4 6", "1 7"], [], "2"]
    assert flows(rows, "", "evicted") == [["1 1", "2 2", "1 3", "3 4", "1 5", "2 6", "1 7"], [], "0"]


def test_who_is_told_that_a_flow_is_over_may_send(tmp_path):
    """The last packet of each flow comes back when the flow is over, and begins a new flow, while room is made for another."""
    rows = "\n".join(f"{n} 1.0.0.1 {n} 1.0.0.2 2 U" for n in range(1, 200))
    text = (
        f'FromIPSummaryDump(DATA "!data timestamp src sport dst dport proto\n{rows}") -> f :: AggregateIPFlows(CAPACITY 3, UDP_TIMEOUT 5)'
        "-> l :: AggregateLast(NOTIFIER f, CAPACITY 3) -> c :: Counter -> p :: PaintSwitch(17); p[0] -> Paint(1, 17) -> f;"
        "p[1] -> Discard;"
    )
    with settled(text) as router:
        assert int(router.handlers.read("c", "count")) > 199
        assert int(router.handlers.read("f", "evicted")) > 0


def test_hosts_without_flows_are_forgotten(flows):
    """10,000 pairs of hosts, one flow each, and of these 10 at a time: as many pairs are known, as the table's count says."""
    rows = [(n / 1000, f"1.0.{n >> 8}.{n & 255}", 1, "2.0.0.1", 2, "U", n, 0) for n in range(10_000)]
    lines = "\n".join(" ".join(map(str, row)) for row in rows)
    data = f"!data timestamp src sport dst dport proto ip_id ip_fragoff\n{lines}"
    with settled(f'FromIPSummaryDump(DATA "{data}") -> x :: AggregateIPFlows(CAPACITY 10) -> Discard; x[1] -> Discard;') as router:
        state = router.instances["x"].state.flows
        assert (state.count, state.udp[0] >> 32, router.handlers.read("x", "evicted")) == (10, 10, "9990")


def test_fragments_that_wait_between_many_hosts(flows):
    """Of 10,000 later fragments, each between other hosts, 8192 wait; others were given up, those that came first. Then the first
    fragments of the last and of the first pair come: the last one's two packets leave, of the first pair it is one."""
    pairs = [f"1.0.{n >> 8}.{n & 255}" for n in range(10_000)]
    rows = [(1, source, 1, "2.0.0.1", 2, "U", 7, "24") for source in pairs]
    rows += [(2, source, 1, "2.0.0.1", 2, "U", 7, "0+") for source in (pairs[-1], pairs[0])]
    lines = "\n".join(" ".join(map(str, row)) for row in rows)
    data = f"!data timestamp src sport dst dport proto ip_id ip_fragoff\n{lines}"
    with settled(f'FromIPSummaryDump(DATA "{data}") -> x :: AggregateIPFlows -> c :: Counter -> Discard; x[1] -> Discard;') as router:
        dropped = router.drops("x")["EXPIRED"]
        state = router.instances["x"].state.flows
        assert (dropped, state.udp_line[2], state.udp[0] >> 32) == (10_002 - 8192, 8192, 8191)
        router.handlers.write("x", "clear", "")
        assert router.handlers.read("c", "count") == "3"
        assert (state.udp_line[0], state.udp_line[1], state.udp_line[2], state.udp[0] >> 32) == (0, 0, 0, 0)
