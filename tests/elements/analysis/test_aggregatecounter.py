"""AggregateCounter: counts, limits, files."""

import struct
import sys

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from tests.axes import axis
from tests.elements.running import running, settled
from tests.elements.two_cpus import run_on_two_cpus, two_cpus
from tests.elements.verdicts import verdicts

from clickbpf.errors import ClickError
from clickbpf.graph.check import check
from clickbpf.graph.elaborate import read_text
from clickbpf.runtime.host import Runtime
from clickbpf.testing.equivalence import Twins, arrivals
from clickbpf.testing.executors import start as start_executor
from clickbpf.testing.executors.bpf import HANDED
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.single import Surroundings
from clickbpf.vocabulary.library import Library

#: aggregate, packets it stands for, IP length
PACKETS = "!data aggregate count ip_len\n1 1 100\n1 4 200\n5 1 50\n4294967295 2 60\n0 1 40\n5 1 40"


def start(arguments: str, behind: str = "-> [0] a [0] -> Discard", packets: str = PACKETS, **options) -> Runtime:
    text = f'a :: AggregateCounter({arguments}); FromIPSummaryDump(DATA "{packets}") {behind};'
    return running(text, **options)


def counts(router: Runtime, path, handler: str = "write_text_file") -> list[str]:
    router.handlers.write("a", handler, str(path))
    return [line for line in path.read_text().splitlines() if line[:1] != "!"]


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ("", {0: 1, 1: 5, 5: 2, 2**32 - 1: 2}),
        ("MULTIPACKET false", {0: 1, 1: 2, 5: 2, 2**32 - 1: 1}),
        ("BYTES true", {0: 40, 1: 300, 5: 90, 2**32 - 1: 60}),
        ("BYTES true, EXTRA_LENGTH false", {0: 40, 1: 80, 5: 80, 2**32 - 1: 40}),
        ("AGGREGATE_FREEZE 2", {1: 5, 5: 2}),
        ("COUNT_FREEZE 6", {1: 5, 5: 2}),
        ("COUNT_STOP 6", {1: 5, 5: 1}),
        ("AGGREGATE_STOP 1", {1: 5}),
    ],
)
def test_counts(tmp_path, arguments, expected):
    with start(arguments) as router:
        router.settle()
        assert counts(router, tmp_path / "out") == [f"{a} {n}" for a, n in expected.items()]
        assert (router.handlers.read("a", "count"), router.handlers.read("a", "nagg")) == (str(sum(expected.values())), str(len(expected)))
        assert router.handlers.read("a", "freeze") == str("FREEZE" in arguments).lower()
        assert (router.runs == 0) == ("STOP" in arguments)


def test_packets_that_are_not_counted_leave_elsewhere():
    behind = "-> t :: Tee; t[0] -> [0] a [0] -> c0 :: Counter -> Discard; t[1] -> Null -> [1] a [1] -> c1 :: Counter -> Discard"
    with start("AGGREGATE_FREEZE 1", behind) as router:
        router.settle()
        # Of aggregate 1 both inputs count both packets; of the other four packets neither does.
        assert (router.handlers.read("c0", "count"), router.handlers.read("c1", "count")) == ("4", "8")
        assert router.handlers.read("a", "count") == "10"


def test_files(tmp_path):
    out = tmp_path / "out"
    with start('BANNER "# mine"') as router:
        router.settle()
        router.handlers.write("a", "write_text_file", str(out))
        assert out.read_text().startswith("!IPAggregate 1.0\n# mine\n!num_nonzero 4\n0 1\n")
        assert counts(router, out, "write_ip_file")[1:3] == ["0.0.0.0 1", "0.0.0.1 5"]
        assert counts(router, out, "write_pdf_file")[1:3] == ["0 0.1", "1 0.5"]
        router.handlers.write("a", "write_file", str(out))
        head, _, rows = out.read_bytes().partition(b"!packed_le\n")
        assert list(struct.iter_unpack("<II", rows)) == [(0, 1), (1, 5), (5, 2), (2**32 - 1, 2)]
        router.handlers.write("a", "reaggregate_counts")
        assert counts(router, out)[1:] == ["1 1", "2 2", "5 1"]
        router.handlers.write("a", "clear")
        assert counts(router, out) == ["# mine"]
        with pytest.raises(ClickError, match="/nowhere/x: No such file"):
            router.handlers.write("a", "write_text_file", "/nowhere/x")


def test_calls(tmp_path):
    with start("AGGREGATE_CALL 3 b.reset, COUNT_CALL 5 c.reset", "-> b :: Counter -> c :: Counter -> [0] a [0] -> Discard") as router:
        router.settle()
        # The fourth aggregate comes with packet 5, before which the reset is made; five packets are counted at packet 2.
        assert (router.handlers.read("b", "count"), router.handlers.read("c", "count")) == ("1", "4")
        router.handlers.write("a", "count_call", "100 a.freeze true")
        with pytest.raises(ClickError, match="syntax error"):
            router.handlers.write("a", "count_call", "7")
        assert router.handlers.read("a", "count_call") == "100 a.freeze true"
        assert router.handlers.read("a", "aggregate_call") == ""


def test_limits_exclude_each_other():
    with pytest.raises(ClickError, match="mutually exclusive"):
        check(read_text("Idle -> AggregateCounter(COUNT_STOP 1, COUNT_FREEZE 2) -> Discard;"), Library.standard())


def test_packets_by_number():
    """Both ends of a path: of aggregate 7, packet 2 is lost and packet 3 arrives once less than it was sent."""
    ends = {"s": "7 1\n7 2\n7 3\n7 3\n9 4\n0 5", "r": "7 3\n7 1\n9 4"}
    text = "c :: AggregatePacketCounter(ANNO EXTRA_PACKETS);"
    for i, (name, packets) in enumerate(ends.items()):
        text += f'FromIPSummaryDump(DATA "!data aggregate count\n{packets}") -> {name} :: Null -> [{i}] c [{i}] -> Discard;'
    with settled(text) as router:
        # The field `count` is one more than the annotation.
        assert router.handlers.read("c", "undelivered", "7") == "1\n2\n"
        assert router.handlers.read("c", "received", "7") == "0\n1\n2\n"
        assert (router.handlers.read("c", "received", "9"), router.handlers.read("c", "undelivered", "9")) == ("3\n", "")
        assert router.handlers.read("c", "count") == "8"
        router.handlers.write("c", "clear", "")
        assert router.handlers.read("c", "count") == "0"


#: What they count, and packets of 2,000 that the kernel path hands over at the least and at the most.
COUNTED = {
    "": (20, 500),
    "BYTES true, IP_BYTES true, CAPACITY 9": (20, 1300),
    "AGGREGATE_FREEZE 8": (8, 60),
    "COUNT_FREEZE 700": (20, 500),
    "COUNT_CALL 300 x.clear": (40, 500),
    "AGGREGATE_CALL 20 x.reaggregate_counts": (40, 500),
}


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("hook", axis("bpf", "tc"))
@pytest.mark.parametrize("arguments", COUNTED)
def test_the_kernel_counts_what_has_a_count(arguments, hook, tmp_path):
    """Aggregates by the last bits of the source; what is on input 1 is counted as if frozen."""
    mix = Mix(links=weights(ethernet=1), contents=weights(ipv4=1), addresses=tuple(f"10.0.0.{n}" for n in range(40)))
    text = Surroundings(f"AggregateCounter({arguments})", 2, 2, "ip", "AggregateIP(ip src)").text(record=False)
    with Twins(text, ("native", hook)) as both:
        seen = verdicts(both.other)
        for arrival in arrivals(2000, both.entries, both.titles, 1, mix):
            both.arrive(arrival)
        files = [tmp_path / router.name for router in (both.one, both.other)]
        for router, path in zip((both.one, both.other), files):
            router.write("x.write_text_file", str(path))
        assert files[0].read_text() == files[1].read_text()
        assert int(both.one.read("x.count")) and int(both.one.read("x.nagg"))
    least, most = COUNTED[arguments]
    assert least <= seen.count(HANDED) <= most


def test_what_a_runtime_before_has_counted_is_found_again(monkeypatch):
    """The state outlives the runtime, but not the words that had no room in the index."""
    for module in (Library.standard().find("AggregateCounter").__module__, "clickbpf_elements.tables._index"):
        monkeypatch.setattr(sys.modules[module], "buckets", lambda words: 1)
    packets = "!data aggregate\n" + "\n".join(map(str, range(30)))
    with start("", packets=packets) as router:
        router.settle()
        assert router.views["a"]["counts"].outside == 30 - 8, "a bucket has 8 words"
        with start("", packets=packets, memories={"a": router.views["a"]}) as again:
            again.settle()
            assert (again.handlers.read("a", "count"), again.handlers.read("a", "nagg")) == ("60", "30")


@pytest.mark.needs("root", "clang-19")
@two_cpus
@pytest.mark.parametrize("arguments", ["", "COUNT_FREEZE 1000000000"])
def test_cpus_that_count_at_the_same_time(arguments):
    """The whole count is that of the only aggregate, whatever they gave up because the other one was faster."""
    text = Surroundings(f"AggregateCounter({arguments})", 1, 1, "ip-in-ethernet", "AggregateIP(ip src)").text(record=False)
    packet, times = bytes(Ether() / IP(src="10.0.0.1", dst="10.0.0.2") / UDP() / bytes(30)), 50_000
    with start_executor(text, "bpf") as router:
        router.send("in0", packet)
        run_on_two_cpus(router, "in0", packet, times)
        counts, pairs = router.runtime.views["x"]["counts"], router.runtime.views["x"]["pairs"]
        assert (counts.used, counts.count) == (1, pairs[1].word & 0xFFFFFFFF)
        assert times < counts.count <= 2 * times + 1
