"""A sound configuration that is damaged: one report for each mistake made, on its line, and nothing but reports for any text."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.mistakes import mistakes

SOUND = """\
define($limit 20);
AddressInfo(gate 10.0.0.1, home 10.0.0.2);
elementclass Shape { $count |
  input -> first :: Counted($count) -> Check -> output;
}
elementclass Meter {
  input [0] -> Null -> [0] output;
  input [1] -> Null -> Null -> [1] output
}
eth0 :: Receive(veth0);
eth1 :: Receive(veth1);
cl :: Classify(12/0800, 12/0806, -);
out :: Queue;
low, high :: Queue;
sink :: PullSink;
eth0 -> total :: Counted(3, ADDRESS gate) -> cl;
cl [0] -> Shape(7) -> out;
cl [1] -> Discard;
cl [2] -> split :: Tee;
split [0] -> low;
split [1] -> Null -> high;
low -> [0] sched :: Sched;
high -> [1] sched;
sched -> Null -> PullSink;
meter :: Meter;
eth1 -> [0] meter;
Source -> marked :: Counted($limit, ACTIVE yes) -> [1] meter;
meter [0] -> Shape(9) -> Discard;
meter [1] -> Check -> PushSink;
out -> Unqueue -> Counted(1, ADDRESS home)
  -> Queue -> sink;
Source -> ( -> Null -> Null -> ) -> Discard;
Source -> { input -> Counted(2) -> output } -> PushSink;
"""

# What is replaced in a line, and by what: each is one mistake, reported on its line.
DAMAGE = [
    (r"->(?= [^;]*->)", "-> ->", "two arrows"),
    (r"(?<=\w) -> (?=Null|Discard|PushSink|Shape|Queue|Unqueue|Counted)", " ", "no arrow"),
    (r"->", "-->", "a long arrow"),
    (r"(?<=\w) ::", " :", "half a colon"),
    (r":: [A-Za-z]\w*(?=;)", "::", "no class"),
    (r"\b(Counted|Queue|Null|Discard|Check|Unqueue|PushSink|Receive|Tee|Sched)\b", r"\1Zz", "an unknown class"),
    (r"(?<=[a-z0-9] )\[(\d)\]", r"[\1", "a bracket that is not closed"),
    (r"(?=;$)", " )", "a parenthesis too many"),
    (r"(?=;$)", " ]", "a bracket too many"),
    (r"(?=;$)", " }", "a brace too many"),
    (r"(?=;$)", " %", "an unknown character"),
    (r"\((\d+)\)", "(9999)", "a number too large"),
    (r"(?<=\d)\)", ", NOTHING 1)", "an unknown keyword"),
    (r"ADDRESS \w+", "ADDRESS 1.2.3.400", "a bad address"),
    (r"ACTIVE yes", "ACTIVE perhaps", "a bad truth value"),
    (r"^(low|high|sched|out) (?=->)", r"\1x ", "a name mistyped"),
    (r"^(\w+) -> (?=Unqueue|Null)", "nobody -> ", "a name of nothing"),
]

#: Damage that is rightly reported elsewhere, or that isn't a mistake.
EXCEPTIONS = {
    # `out` and `sched` are left without a use, which no similar name explains.
    "a name of nothing",
}


def damages():
    """(line number from 0, new line, what was done) for all ways to damage a line."""
    for number, line in enumerate(SOUND.splitlines()):
        if line.startswith(("define", "AddressInfo", "elementclass", "}")):
            continue
        for pattern, put_in, what in DAMAGE:
            for found in re.finditer(pattern, line):
                if what not in EXCEPTIONS:
                    yield number, line[: found.start()] + found.expand(put_in) + line[found.end() :], what


ALL_DAMAGES = list(damages())


def damaged(chosen):
    lines = SOUND.splitlines()
    for number, line, _ in chosen:
        lines[number] = line
    return "\n".join(lines) + "\n"


def test_the_configuration_is_sound():
    assert mistakes(SOUND) == []


@pytest.mark.parametrize("damage", ALL_DAMAGES, ids=lambda d: f"{d[0] + 1}-{d[2]}")
def test_one_mistake_is_one_report_on_its_line(damage):
    found = mistakes(damaged([damage]))
    assert [d.place.line for d in found] == [damage[0] + 1], f"{damage[1]}\n" + "\n".join(map(str, found))


NAMES = set(["eth0", "eth1", "cl", "out", "low", "high", "sink", "total", "split", "sched", "meter", "marked", "Shape", "Meter"])


def statement_around(number):
    """The statement that a line belongs to: indented lines go on with the one before."""
    lines = SOUND.splitlines()
    first = next(n for n in range(number, -1, -1) if not lines[n].startswith(" "))
    last = next((n for n in range(number + 1, len(lines)) if not lines[n].startswith(" ")), len(lines))
    return "\n".join(lines[first:last])


def explains(one, other):
    """Whether `one` is an element of an unknown class with the word that the bad address `other` comes after: the class may define it,
    as AddressInfo defines the first words of its arguments."""
    return one[2] == "an unknown class" and "ADDRESS" in one[1] and other[2] == "a bad address"


def independent(chosen):
    """Those that don't share an element, or a word that is wrong, nor explain each other: what a mistake hides of one, it hides from all
    reports, and an unknown name is reported once."""
    taken, kept = set(), []
    for damage in chosen:
        names = NAMES & set(re.findall(r"\w+", statement_around(damage[0])))
        names |= set(re.findall(r"\w+", damage[1])) - set(re.findall(r"\w+", SOUND))
        if not names & taken and not any(explains(damage, each) or explains(each, damage) for each in kept):
            taken |= names
            kept.append(damage)
    return kept


@settings(max_examples=60)
@given(st.lists(st.sampled_from(ALL_DAMAGES), min_size=2, max_size=8, unique_by=lambda damage: damage[0]))
def test_so_many_mistakes_so_many_reports(chosen):
    chosen = independent(chosen)
    found = mistakes(damaged(chosen))
    wanted = sorted(number + 1 for number, _, _ in chosen)
    assert [d.place.line for d in found] == wanted, damaged(chosen) + "\n".join(map(str, found))


# Nothing that can be written makes anything but reports.


@settings(max_examples=200)
@given(
    st.one_of(
        st.text(),
        st.binary().map(lambda b: b.decode("utf-8", "surrogateescape")),
        st.text(alphabet="ab:->=[]{}()|$01,;.\"' \n/*#"),
    )
)
def test_any_text(text):
    mistakes(text)


@settings(max_examples=200)
@given(st.data())
def test_any_damage(data):
    """Pieces of a sound configuration left out, doubled, exchanged, and cut short."""
    pieces = re.findall(r"\s+|->|::|[\w$@/.]+|.", SOUND)
    for _ in range(data.draw(st.integers(1, 6))):
        at, other = (data.draw(st.integers(0, len(pieces) - 1)) for _ in range(2))
        match data.draw(st.sampled_from(["leave out", "double", "exchange", "cut"])):
            case "leave out":
                pieces[at] = ""
            case "double":
                pieces[at] *= 2
            case "exchange":
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case "cut":
                pieces = [*pieces[: max(at, 2)], ""]
    for diagnostic in mistakes("".join(pieces)):
        assert diagnostic.place
