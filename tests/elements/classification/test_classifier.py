"""Classifier: the pattern language of Click's documentation, on every executor."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clickbpf.compile import check_text
from clickbpf.testing.cases import Case
from clickbpf.testing.single import ElementRouter
from clickbpf.vocabulary.library import Library

#: The example of Click's manual page.
MANUAL = "Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -)"


def frame(ethertype: str = "0800", rest: str = "", length: int = 60) -> bytes:
    """A frame with these hexadecimal digits after its addresses."""
    return (bytes(12) + bytes.fromhex(ethertype + rest)).ljust(length, b"\0")


def sorts(element, patterns: str, outputs: int, cases: dict[str, int | None]) -> None:
    """Each packet, in hexadecimal, leaves by that output, or is dropped."""
    x = element(f"Classifier({patterns})", noutputs=outputs)
    for digits, output in cases.items():
        packet = bytes.fromhex(digits)
        x.send(packet)
        if output is not None:
            x.expect(output, packet)
        x.expect_nothing()
    assert x.dropped("FILTERED") == list(cases.values()).count(None)


def test_the_example_of_the_manual(element):
    x = element(MANUAL, noutputs=4)
    for output, packet in enumerate((frame("0806", "0001080006040001"), frame("0806", "0001080006040002"), frame(), frame("86dd"))):
        x.passes(packet, output=output)
    x.gives(frame("0806", "0001080006040003"), output=3)


def test_the_program_of_the_manual(element):
    """As Click prints it."""
    assert element(MANUAL, noutputs=4).read("program") == (
        " 0  12/08060000%ffff0000  yes->step 1  no->step 3\n"
        " 1  20/00010000%ffff0000  yes->[0]  no->step 2\n"
        " 2  20/00020000%ffff0000  yes->[1]  no->[3]\n"
        " 3  12/08000000%ffff0000  yes->[2]  no->[3]\n"
        "safe length 22\n"
        "alignment offset 0\n"
    )


@pytest.mark.executors("native")
@pytest.mark.parametrize(
    ("patterns", "outputs", "program"),
    [
        ("1/01, -", 2, " 0   0/00010000%00ff0000  yes->[0]  no->[1]\nsafe length 2\nalignment offset 0\n"),
        ("-", 1, "all->[0]\nsafe length 0\nalignment offset 0\n"),
        ("12/0806 12/0800", 1, "all->[X]\nsafe length 0\nalignment offset 0\n"),
    ],
)
def test_programs(element, patterns, outputs, program):
    assert element(f"Classifier({patterns})", noutputs=outputs).read("program") == program


def test_masks_and_question_marks(element):
    zeros = "00" * 14
    sorts(
        element,
        "14/?1, 14/02%0f, 14/0304%fff0, -",
        4,
        {
            zeros + "f1": 0,
            zeros + "f2": 1,
            zeros + "03": 3,
            zeros + "0304": 2,
            zeros + "030f": 2,
            zeros + "0314": 3,
        },
    )


def test_not(element):
    """`!` turns a clause over as a whole; a packet that hasn't the bytes doesn't match the clause, so it matches the opposite."""
    zeros = "00" * 14
    sorts(
        element,
        "!14/0102 !0/ff, 14/01, -",
        3,
        {
            zeros + "0103": 0,
            zeros + "0202": 0,
            zeros + "01": 0,
            zeros: 0,
            zeros + "0102": 1,
            "ff" + "00" * 13 + "0103": 1,
            "ff" + "00" * 13: 2,
        },
    )


def test_a_packet_too_short_for_a_clause_does_not_match_it(element):
    zeros = "00" * 14
    sorts(element, "14/000000, 14/0000, 14/00", 3, {zeros + "000000": 0, zeros + "0000": 1, zeros + "00": 2, zeros: None})


def test_a_clause_across_words(element):
    digits = "0102030405060708090a"
    sorts(element, f"1/{digits[2:]}, -", 2, {digits.ljust(28, "0"): 0, digits.replace("06", "07").ljust(28, "0"): 1})


def test_the_first_of_two_patterns_counts(element):
    sorts(element, "0/01, 0/0102", 2, {"0102".ljust(28, "0"): 0, "0202".ljust(28, "0"): None})


@pytest.mark.executors("native")
def test_all_bytes_may_be_asked_for(element):
    """Every value of a byte has its output: a switch of 256 cases, which some compilers would make a table."""
    patterns = ", ".join(f"14/{value:02x}" for value in range(256))
    x = element(f"Classifier({patterns})", noutputs=256)
    for value in (0, 1, 127, 255):
        x.gives(frame("0800", f"{value:02x}"), output=value)


CASES = [
    Case("Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -)", noutputs=4),
    Case("Classifier(12/0800 !14/45, 23/06%0f 36/0050, 20/?0?0%1fff 33/ff !40/00, !12/08)", noutputs=4),
]


# -- hypothesis: patterns and packets against the meaning of the language ----------------------------------------------------

CLAUSES = st.builds(
    lambda negated, offset, digits, masked, mask: (
        ("!" if negated else "") + f"{offset}/{digits}" + (f"%{mask[: len(digits)].ljust(len(digits), 'f')}" if masked else "")
    ),
    st.booleans(),
    st.integers(0, 9),
    st.lists(st.sampled_from(("00", "01", "?1", "1?", "13", "30")), min_size=1, max_size=5).map("".join),
    st.booleans(),
    st.text("0f17", max_size=10),
)
PATTERNS = st.lists(st.one_of(st.just("-"), st.lists(CLAUSES, min_size=1, max_size=3).map(" ".join)), min_size=1, max_size=5)
PACKETS = st.lists(st.sampled_from((0, 1, 0x11, 0x13, 0x30, 0x31)), min_size=1, max_size=15).map(bytes)


def clause_matches(clause: str, packet: bytes) -> bool:
    """A clause on a packet, digit by digit."""
    offset, _, digits = clause.lstrip("!").partition("/")
    value, _, mask = digits.partition("%")
    start = 2 * int(offset)
    nibbles = packet.hex()
    wanted = [
        (start + place, int(digit, 16), int(mask[place], 16) if mask else 15) for place, digit in enumerate(value) if digit != "?"
    ]
    matches = all(
        place < len(nibbles) and int(nibbles[place], 16) & bits == digit & bits for place, digit, bits in wanted if bits
    )
    return matches != clause.startswith("!")


@settings(max_examples=12)
@given(PATTERNS, st.lists(PACKETS, min_size=60, max_size=60))
def test_the_native_code_means_what_the_patterns_say(patterns, packets):
    with ElementRouter(f"Classifier({', '.join(patterns)})", noutputs=len(patterns)) as x:
        for packet in packets:
            matching = (
                number
                for number, pattern in enumerate(patterns)
                if pattern == "-" or all(clause_matches(clause, packet) for clause in pattern.split())
            )
            x.send(packet)
            output = next(matching, None)
            if output is not None:
                x.expect(output, packet)
            x.expect_nothing()


# -- mistakes --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("patterns", "outputs", "unused"),
    [
        ("12/0806, 12/0800, -", 3, []),
        ("12/0806 12/0800, -", 2, [0]),
        ("-, 12/0800, -", 3, [1, 2]),
        ("12/08, 12/0800, !12/08, -", 4, [1, 3]),
    ],
)
def test_outputs_that_no_packet_takes_are_told(patterns, outputs, unused):
    ends = "".join(f"c[{port}] -> Discard;" for port in range(outputs))
    checked = check_text(f"Idle -> c :: Classifier({patterns}); {ends}", Library.standard())
    assert [w.message for w in checked.instances["c"].warnings()] == [f"output {n} matches no packets" for n in unused]


MISTAKES = {
    "Classifier(12/0806, -)": ["Classifier: output 1 is not connected: each of the 2 arguments has an output port"],
    "Classifier(foo)": ["Classifier: pattern 0: expected a digit"],
    "Classifier(12/08 !)": ["Classifier: pattern 0: expected a digit"],
    "Classifier(12/0806x)": ["Classifier: pattern 0: expected a digit"],
    "Classifier(12a/08)": ["Classifier: pattern 0: expected '/'"],
    "Classifier(12)": ["Classifier: pattern 0: expected '/'"],
    "Classifier(1/)": ["Classifier: pattern 0: value has less than 2 hex digits"],
    "Classifier(12/080)": ["Classifier: pattern 0: value has odd number of hex digits"],
    "Classifier(1/0102%03)": ["Classifier: pattern 0: mask has too few hex digits"],
    "Classifier(1/01%0203)": ["Classifier: pattern 0: mask has too many hex digits"],
    "Classifier(99999/00)": ["Classifier: pattern 0: offset is beyond the end of any packet"],
    ("Classifier(12/080, 13/08%0g0, -)", 3): [
        "Classifier: pattern 0: value has odd number of hex digits",
        "Classifier: pattern 1: mask has too few hex digits",
        "Classifier: pattern 1: expected a digit",
    ],
}
