"""All mistakes of a configuration in one run, whatever stage finds them: one report for each, at its place, and no others."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.classes import library

from clickbpf.args import ArgError, IPAddress, Raw, Required, Rest, String
from clickbpf.args.names import IP
from clickbpf.compile import check_file, check_text
from clickbpf.errors import ClickError
from clickbpf.lang.archive import write_archive
from clickbpf.lang.config import split_words_at
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import Library


class Receive(Element):
    """Receives from a device."""

    ports, processing = "0/1", "h"
    args = (Required("DEVICE", String()),)

    def receives_from(self):
        return self.cfg.device


class Decides(Element):
    """Decides when the driver stops."""

    ports, manages_driver = "0/0", True


class AddressInfo(Element):
    """Defines addresses, NAME ADDRESS."""

    ports = "0/0"
    args = (Rest("PAIR", Raw()),)

    def define_names(self, names):
        for index, pair in enumerate(self.cfg.pair):
            words = split_words_at(pair)
            if len(words) != 2:
                raise ArgError("expected NAME ADDRESS", argument="PAIR", index=index)
            (name, _), (address, offset) = words
            try:
                names.define(IP, self.name, name, IPAddress().parse(address, self.context))
            except ArgError as error:
                raise ArgError(error.message, error.hint, argument="PAIR", index=index, offset=offset) from None


LIBRARY = library()
LIBRARY.classes.update(Receive=Receive, AddressInfo=AddressInfo, Decides=Decides)


def mistakes(text, file="config", library=LIBRARY):
    """The ClickError's diagnostics, without warnings."""
    try:
        check_text(text, library, name=file)
    except ClickError as error:
        return [d for d in error.diagnostics if d.severity == "error"]
    return []


MARK = re.compile("<(!+)>")


def marked(text):
    """The text without the marks `<!>`, and the places (line, column) that they stand before, one for each `!`."""
    places = []
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        while found := MARK.search(line):
            places += [(number, found.start() + 1)] * len(found[1])
            line = line[: found.start()] + line[found.end() :]
        lines[number - 1] = line
    return "\n".join(lines), places


# Each mark stands where a mistake has to be reported.
FILES = {
    "ten of ten kinds": """\
eth0 :: Receive(veth0);
again :: <!>Recieve(veth1);
<!>nosuch -> Discard;
q :: Queue;
<!>q :: Queue;
eth0 -> Counted(<!>many) -> q;
q -> Null -> <!>-> Null -> PullSink;
Source <!>-> PullSink;
n :: Null; Source -> n -> Discard; Idle <!>-> [1] n;
<!>t :: Tee; Source -> t; t [1] -> Discard;
Source -> [0<!> Discard;
Source -> { input -> Counted(1, <!>ACTIF no) -> output } -> Discard;
""",
    "syntax and what follows from it": """\
a <!>: Queue; Idle -> a -> PullSink;
b :: Counted<!>(7;
Idle -> b -> Discard;
c :: Null<!>];
Idle -> c -> Discard;
d :: <!> ;
Idle -> d -> Discard;
Source -> e :: Null -> <!>-> f :: Null -> Discard;
Source -> f2 :: Null -> Discard <!>);
e -> Discard;
require<!> nothing;
x :: Counted(5)<!>%;
x -> Discard;
<!>:: Null;
unnamed -> Discard;
Source -> <!>{ input -> Null -> output -> Discard;
Source <!>--> Discard;
""".replace("d :: <!> ;", "d ::<!> ;"),
    "names": """\
cnt :: Counted(1);
Idle -> <!>ctn -> Discard;
ctn -> Discard;
<!>Queue :: Null;
Idle -> Queue -> Unqueue -> Discard;
p :: <!>Quue(100, nonsense);
Idle -> p -> Discard;
p [7] -> [3] p;
Source -> here :: Null -> Discard;
Source -> <!>here :: Null -> Discard;
Source -> <!>Misspelt(1, 2) -> Null -> PullSink;
<!>late -> Discard;
late :: Source;
""",
    "arguments": """\
AddressInfo(good 10.0.0.1, bad <!>10.0.0.300);
Idle -> Counted(<!>999) -> Discard;
Idle -> Counted(1, ADDRESS <!>nobody) -> Discard;
Idle -> Counted(1, ADDRESS good) -> Discard;
Idle -> Counted(1, ADDRESS bad) -> Discard;
Idle -> <!>Counted(ACTIVE no) -> Discard;
Idle -> Counted(1, PEER <!>absent) -> Discard;
Idle -> Counted(1, ACTIVE yes, <!>ACTIVE no) -> Discard;
Idle -> Counted(<!>x, ACTIVE <!>perhaps, <!>WHAT ever) -> Discard;
""",
    "ports, push and pull": """\
s :: Source -> Discard; s <!>-> Discard;
p :: PullSink; Idle -> p; Idle <!>-> p;
Source -> Null <!>-> PullSink;
Idle -> Queue <!>-> Tee -> Discard;
Source <!>-> [4] Null -> Discard;
<!>lonely :: Null;
<!>t :: Tee; Source -> t; t -> Discard; t [2] -> Discard;
Source -> Null <!>Null -> Discard;
""",
    "pull paths and drivers": """\
Source -> Queue -> r :: Sched -> t :: Null -> PullSink;
t <!>-> [1] r;
<!>s :: OneMore; Idle -> s -> PullSink; Idle -> [1] s; s [1] -> PullSink; s [2] -> PullSink;
Decides; <!>Decides;
Source -> u :: OneMore <!>-> PullSink; u [1] <!>-> PullSink;
Source -> Counted(<!>many) -> Discard;
""",
    "devices": """\
a :: Receive(veth0) -> Discard;
<!>b :: Receive(veth0) -> Discard;
c :: { x :: Receive(veth1) -> output } -> Discard;
<!>Receive(veth1) -> Discard;
<!>Receive() -> Discard;
""",
    "compound elements": """\
elementclass Both { $n |
  input -> Counted($n) -> <!>Nul -> output;
  input [1] -> Counted(<!>zero) -> [1] output }
elementclass Open <!>{ input -> Null -> output;
Source -> b :: Both(<!>900) -> Discard;
Source -> [1] b [1] -> Discard;
Source -> Open -> Discard;
elementclass Twice { $a, <!>$a | input -> output }
Source -> Twice(1, 2) -> Discard;
Source -> { [0] -> Null -> output; output <!>-> Discard } -> Discard;
""",
    "an element class without a brace": """\
elementclass Bare<!>
  input -> Null -> output;
}
elementclass Bare2<!> $a |
  input -> Counted($a) -> output;
}
Source -> Bare <!>-> [7] Null -> Discard;
Source -> Bare2(<!>999) -> Discard;
""",
    "definitions": """\
define($ok 3, <!>bad 4);
define<!> $lost 5);
Idle -> Counted($ok) -> Discard;
Idle -> Counted($bad) -> Discard;
Idle -> Counted($lost) -> Discard;
require(<!>library nowhere.click);
Idle -> FromTheLibrary(3) -> Discard;
Idle -> Counted(<!>$unknown) -> Discard;
""",
}


@pytest.mark.parametrize("name", FILES)
def test_every_mistake_of_a_file_and_no_other(name):
    text, places = marked(FILES[name])
    found = mistakes(text)
    assert [(d.place.line, d.place.column) for d in found] == sorted(places), "\n".join(map(str, found))


def rendered(run):
    with pytest.raises(ClickError) as raised:
        run()
    return raised.value.render()


def assert_format(text, name):
    """Place, message, the line, the caret under the place, and perhaps a hint; again and again."""
    lines = text.rstrip("\n").split("\n")
    while lines:
        head = re.fullmatch(rf"{re.escape(name)}:\d+:(\d+): (error|warning): .+", lines.pop(0))
        assert head and lines[0].startswith("    ") and lines[1] == "    " + " " * (int(head[1]) - 1) + "^"
        lines = lines[3:] if len(lines) > 2 and lines[2].startswith("hint: ") else lines[2:]


@pytest.mark.parametrize("name", FILES)
def test_every_report_shows_its_line(name, tmp_path):
    text, _ = marked(FILES[name])
    archive = tmp_path / "router.a"
    archive.write_bytes(write_archive({"data": b"x", "config": text.encode()}))
    assert_format(rendered(lambda: check_text(text, LIBRARY, name="<expression>")), "<expression>")
    assert_format(rendered(lambda: check_file(archive, LIBRARY)), str(archive))


def test_ports_that_a_mistake_hides_are_not_counted():
    """Nobody knows what `-> ->` connects, so nobody knows how many patterns there have to be, and what they are for."""
    text = "Idle -> c :: Classifier(12/0806, 12/0800) -> Discard; c[1] -> -> Discard;"
    assert [d.message for d in mistakes(text, library=Library.standard())] == ["no element between '->' and '->'"]


def test_a_mistake_in_a_compound_is_told_once_for_all_its_instances():
    text = "elementclass C { input -> t :: Tee -> output; t [2] -> Discard }\n" + "Source -> C -> Discard;\n" * 3
    assert [(d.place.line, d.place.column, d.message) for d in mistakes(text)] == [(1, 27, "output 1 of 'C@2/t' is not connected")]


# One mistake at a time in a sound configuration.

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

#: Damage whose report is justly elsewhere, or that is none.
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


def independent(chosen):
    """Those that don't share an element, or a word that is wrong: what a mistake hides of one, it hides from all reports, and
    an unknown name is reported once."""
    taken, kept = set(), []
    for damage in chosen:
        names = NAMES & set(re.findall(r"\w+", statement_around(damage[0])))
        names |= set(re.findall(r"\w+", damage[1])) - set(re.findall(r"\w+", SOUND))
        if not names & taken:
            taken |= names
            kept.append(damage)
    return kept


@settings(max_examples=150)
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


def seconds(text):
    begin = time.process_time()
    mistakes(text)
    return time.process_time() - begin


@pytest.mark.parametrize(
    "line",
    [
        *("a(1;", "a(", 'a("x;', "a(/* x;", "y :: { a;", "}", "] )", "a b"),
        *("Source -> -> Discard;", "e{} :: Queue; f{}x -> Discard;", "Source -> PullSink;"),
    ],
)
def test_time_grows_with_the_text_and_not_faster(line):
    """Eight times the mistakes take about eight times as long; sixty-four times would be quadratic."""
    short, long = ("".join(line.replace("{}", str(n)) + "\n" for n in range(count)) for count in (250, 2000))
    seconds(short)  # grammar and library are loaded
    assert seconds(long) < 24 * seconds(short) + 0.5
