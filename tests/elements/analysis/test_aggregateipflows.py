"""AggregateIPFlows: which packets belong together."""

from __future__ import annotations

import xml.etree.ElementTree as xml
from contextlib import chdir

import pytest

from clickbpf.compile import Compilation
from clickbpf.errors import ClickError
from clickbpf.graph.check import check
from clickbpf.graph.elaborate import load_text
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library

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
    with chdir(tmp_path), Runtime(Compilation(check(load_text(text), Library.standard()))) as router:
        router.settle()
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
    with Runtime(Compilation(check(load_text(text), Library.standard()))) as router:
        router.settle()
        assert (router.handlers.read("c", "count"), router.handlers.read("other", "count")) == ("2", "1")
    with pytest.raises(ClickError, match="incompatible with pull"):
        Runtime(Compilation(check(load_text(text.replace("Flows", "Flows(FRAGMENTS true)")), Library.standard()))).__enter__()
