"""Small classes about aggregates: AggregateFilter, First, Last, Length, Paint, IPAddrPair."""

import pytest
from tests.elements.running import settled
from tests.elements.trials import Trial

from clickbpf.graph.check import check
from clickbpf.graph.elaborate import read_text
from clickbpf.testing.cases import Case
from clickbpf.vocabulary.library import Library

FRAME = bytes(range(64))


def run(tmp_path, data: str, way: str, fields: str, *writes: str) -> list[list[str]]:
    """What leaves by the outputs of `x`, with these fields, once the write handlers were called."""
    text = f'x :: {way}; FromIPSummaryDump(DATA "{data}") -> n :: Null -> x;'
    text += "".join(f"x[{i}] -> ToIPSummaryDump({tmp_path}/{i}, HEADER false, FIELDS {fields}) -> Discard;" for i in (0, 1))
    with settled(text) as router:
        for write in writes:
            router.handlers.write("x", write, "")
            router.settle()
    return [(tmp_path / str(i)).read_text().splitlines() for i in (0, 1)]


DATA = "!data timestamp aggregate ip_len\n1 5 100\n2 1 100\n3 5 60\n4 4294967295 50\n5 1 41\n6 5 40"


def test_first(tmp_path):
    assert run(tmp_path, DATA, "AggregateFirst", "ts_sec") == [["1", "2", "4"], ["3", "5", "6"]]


def test_last(tmp_path):
    """They leave in the order of aggregates and know how many packets and bytes there were."""
    fields = "aggregate ts_sec first_timestamp count"
    assert run(tmp_path, DATA, "AggregateLast", fields, "clear", "clear") == [
        ["1 5 2.000000 2", "5 6 1.000000 3", "4294967295 4 4.000000 1"],
        ["5 1 1.000000 1", "1 2 2.000000 1", "5 3 1.000000 2"],
    ]


@pytest.mark.parametrize("class_, expected", [("AggregateFirst", ["1 1", "2 3", "3 4"]), ("AggregateLast", ["1 2", "2 3", "3 4"])])
def test_they_are_told_when_a_flow_is_over(tmp_path, class_, expected):
    text = (
        'FromIPSummaryDump(DATA "!proto U\n!data timestamp src dst\n'
        '1 1.0.0.1 1.0.0.2\n2 1.0.0.1 1.0.0.2\n3 1.0.0.1 1.0.0.3\n90 1.0.0.1 1.0.0.2")'
        f"-> f :: AggregateIPFlows -> x :: {class_}(NOTIFIER f)"
        f"-> ToIPSummaryDump({tmp_path}/out, HEADER false, FIELDS aggregate ts_sec) -> Discard;"
    )
    with settled(text) as router:
        if class_ == "AggregateLast":
            # The first flow was over when the packet at 90 came; the second, when all flows are forgotten.
            assert (tmp_path / "out").stat().st_size == 0
        router.handlers.write("f", "clear", "")
        router.settle()
    seen = (tmp_path / "out").read_text().split("\n")[:-1]
    assert sorted(line.replace("3 90", "3 4") for line in seen) == expected


@pytest.mark.parametrize("timeout, expected", [("", "1 0,1 1,2 0,1 0,1 1"), ("TIMEOUT 10", "1 0,1 1,2 0,1 0,3 0")])
def test_pairs_of_addresses(tmp_path, timeout, expected):
    data = "!data timestamp src dst\n1 1.0.0.2 1.0.0.1\n2 1.0.0.1 1.0.0.2\n3 1.0.0.3 1.0.0.1\n9 1.0.0.2 1.0.0.1\n20 1.0.0.1 1.0.0.2"
    assert run(tmp_path, data, f"AggregateIPAddrPair({timeout})", "aggregate paint")[0] == expected.split(",")


def test_pairs_may_be_forgotten(tmp_path):
    data = "!data timestamp src dst\n1 1.0.0.2 1.0.0.1\n"
    assert run(tmp_path, data, "AggregateIPAddrPair(TIMEOUT 1, REAP 1)", "aggregate", "clear") == [["1"], []]


def test_filter(tmp_path):
    """The first rule that has the aggregate decides."""
    numbers = (0, 3, 9, 17, 18, 12, 20, 31)
    data = "!data aggregate\n" + "\n".join(map(str, numbers))
    way = "AggregateFilter(allow 1-9 17, drop 20, 1 10-30, 0 18)"
    assert run(tmp_path, data, way, "aggregate") == [["3", "9", "17"], ["18", "12"]]
    assert run(tmp_path, data, "AggregateFilter(deny 3, 1 all)", "aggregate")[1] == [str(n) for n in numbers if n != 3]


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("0 3, 1 3 4", ["pattern 1: aggregate 3 already filtered to output 0"]),
        ("0 3, 0 3", []),
        ("0 3, 0 1-9, 1 9", ["pattern 2: aggregate 9 already filtered to output 0"]),
        ("0 5-7, drop 1-5, 1 2 6", [
            "pattern 1: aggregate 5 already filtered to output 0",
            "pattern 2: aggregate 2 already filtered to output 2",
            "pattern 2: aggregate 6 already filtered to output 0",
        ]),
        ("0 3, 1 all, 1 9", ["pattern 2 matches no packets"]),
    ],
)  # fmt: skip
def test_rules_that_come_too_late(rules, said):
    """Click's warnings, which it gives one by one for ranges."""
    text = f"Idle -> f :: AggregateFilter({rules}); f[0] -> Discard; f[1] -> Discard;"
    checked = check(read_text(text), Library.standard())
    assert [(warning.in_click or warning.message).removeprefix("warning: ") for warning in checked.instances["f"].warnings()] == said


TRIALS = {
    "length and paint": [
        Trial("AggregateLength(IP true)", noutputs=2, headers="ip-in-ethernet").passes(bytes(12) + b"\x08\x00" + FRAME, AGGREGATE=64),
        Trial("AggregatePaint(3, INCREMENTAL true)", before="Paint(1) -> AggregatePaint -> Paint(0xfd)")
            .passes(FRAME, AGGREGATE=1 << 3 | 5),
    ],
    "length without a header": [
        Trial("AggregateLength(IP true)", noutputs=2).passes(FRAME, output=1),
        Trial("AggregateLength", noutputs=2).passes(FRAME, AGGREGATE=64),
    ],
}

CASES = [
    Case(text, noutputs=noutputs, headers="ip-in-ethernet", before="Paint(4) -> AggregateLength", packets=500)
    for text, noutputs in (
        ("AggregateLength(IP true)", 2),
        ("AggregatePaint(2, INCREMENTAL true)", 1),
        ("AggregateFilter(1 0-5, 0 60 64, deny 7, 1 70-90)", 2),
    )
]

MISTAKES = {
    "AggregateFilter(0)": "pattern has no aggregates",
    "AggregateFilter(north 3)": "expected a port number, not 'north'",
    "AggregateFilter(1 3)": "there is no output 1",
    "AggregateFilter(0 3-x)": "bad aggregate number '3-x'",
}
