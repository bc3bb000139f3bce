"""All mistakes of a configuration in one run, whatever stage finds them: one report for each, at its place, and no others."""

import re
import time

import pytest
from tests.axes import few
from tests.graph.mistakes import LIBRARY, mistakes

from clickbpf.compile import check_file, check_text
from clickbpf.errors import ClickError
from clickbpf.lang.archive import write_archive
from clickbpf.vocabulary.library import Library

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
Idle -> Counted(1, ACTIVE yes, ACTIVE no) -> Discard;
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


def test_a_name_within_a_compound_is_taken():
    assert [d.message for d in mistakes("g :: { m :: Source -> Discard }; g/m :: Source -> Discard")] == ["redeclaration of element 'g/m'"]


def seconds(text):
    begin = time.process_time()
    mistakes(text)
    return time.process_time() - begin


@pytest.mark.parametrize(
    "line",
    few([
        *("a(1;", "a(", 'a("x;', "a(/* x;", "y :: { a;", "}", "] )", "a b"),
        *("Source -> -> Discard;", "e{} :: Queue; f{}x -> Discard;", "Source -> PullSink;"),
    ]),
)
def test_time_grows_with_the_text_and_not_faster(line):
    """Eight times the mistakes take about eight times as long; sixty-four times would be quadratic."""
    short, long = ("".join(line.replace("{}", str(n)) + "\n" for n in range(count)) for count in (250, 2000))
    seconds(short)  # grammar and library are loaded
    assert seconds(long) < 24 * seconds(short) + 0.5
