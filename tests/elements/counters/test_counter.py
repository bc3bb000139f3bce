"""Counter: counts, rates, and calls when enough was counted."""

import os
import threading

import pytest
from tests.axes import axis
from tests.elements.verdicts import verdicts

from clickbpf.errors import ClickError
from clickbpf.testing.equivalence import assert_element_equivalent, assert_equivalent
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import DROPPED, HANDED
from clickbpf.testing.punt import assert_punts_unchanged
from clickbpf.testing.reach import Reach

FRAME = bytes(100)


def test_packets_and_bytes_are_counted(element):
    x = element("Counter")
    for length in (60, 100, 1000):
        x.passes(bytes(length))
    assert (x.read("count"), x.read("byte_count")) == ("3", "1160")


@pytest.mark.parametrize("handler", ["reset", "reset_counts"])
def test_reset(element, handler):
    x = element("Counter")
    x.send(FRAME)
    x.write(handler)
    assert (x.read("count"), x.read("byte_count")) == ("0", "0")
    x.send(FRAME)
    assert (x.read("count"), x.read("byte_count")) == ("1", "100")


@pytest.mark.executors("native")
def test_fastclicks_counters_for_several_threads(element):
    arguments = ("CounterMP(NO_RATE true)", "CounterAtomic(BATCH_PRECISE true, ATOMIC 2)")
    for name in (*arguments, "CounterPRW", "CounterPLockMP", "CounterRxWMPPW"):
        x = element(name)
        x.send(bytes(60))
        assert x.read("count") == "1"


def test_a_steady_rate(element):
    """Two packets of 100 bytes each millisecond; what is averaged over 16 ms is exact after 100."""
    x = element("Counter", simtime=True)
    for _ in range(150):
        x.send(FRAME)
        x.send(FRAME)
        x.router.advance(0.001)
    assert float(x.read("rate")) == pytest.approx(2000, rel=0.01)
    assert float(x.read("byte_rate")) == pytest.approx(200_000, rel=0.01)
    assert float(x.read("bit_rate")) == pytest.approx(1_600_000, rel=0.01)


@pytest.mark.executors("native")
def test_the_rate_follows(element):
    """An epoch weighs 1/16: after n epochs (15/16)^n of the old rate is left; after more than 100 nothing, as in Click."""
    x = element("Counter", simtime=True)
    for _ in range(200):
        x.send(FRAME)
        x.router.advance(0.001)
    before = float(x.read("rate"))
    x.router.advance(0.016)
    assert float(x.read("rate")) == pytest.approx(before * (15 / 16) ** 16, rel=0.05)
    x.router.advance(0.05)
    assert float(x.read("rate")) == pytest.approx(before * (15 / 16) ** 66, rel=0.05)
    x.router.advance(0.06)
    assert x.read("rate") == "0"


@pytest.mark.executors("bpf")
def test_the_kernel_path_measures_rates(router):
    """In wall-clock time, so only that there is a rate, and that it goes away."""
    r = router("FromDevice(eth0) -> c :: Counter -> Discard;")
    for _ in range(200):
        r.send("eth0", [FRAME] * 5)
    assert r.read("c.count") == "1000"
    rate = float(r.read("c.rate"))
    assert rate > 100
    assert float(r.read("c.byte_rate")) == pytest.approx(100 * rate, rel=0.5)


# -- calls -----------------------------------------------------------------------------------------------------------------

ROUTER = "FromDevice(eth0) -> c :: Counter({}) -> d :: Discard; Idle -> p :: Paint(0) -> Discard;"


def test_count_call(router):
    r = router(ROUTER.format("COUNT_CALL 3 p.color 7"))
    assert r.read("c.count_call") == "3"
    r.send("eth0", [FRAME] * 2)
    assert r.read("p.color") == "0"
    r.send("eth0", FRAME)
    assert r.read("p.color") == "7"
    assert (r.read("c.count"), r.read("d.count")) == ("3", "3")


def test_it_is_called_once_until_a_reset(router):
    r = router(ROUTER.format("COUNT_CALL 2 p.color 7"))
    r.send("eth0", [FRAME] * 2)
    r.write("p.color", "0")
    r.send("eth0", [FRAME] * 5)
    assert r.read("p.color") == "0"
    r.write("c.reset")
    r.send("eth0", [FRAME] * 2)
    assert r.read("p.color") == "7"


def test_byte_count_call(router):
    """When this many bytes are reached or exceeded."""
    r = router(ROUTER.format("BYTE_COUNT_CALL 250 p.color 7"))
    r.send("eth0", [FRAME] * 2)
    assert r.read("p.color") == "0"
    r.send("eth0", FRAME)
    assert r.read("p.color") == "7"


def test_calls_can_be_changed(router):
    """A count is hit exactly, so one that is past is never hit; bytes may be past already."""
    r = router(ROUTER.format(""))
    assert r.read("c.count_call") == ""
    r.send("eth0", [FRAME] * 3)
    r.write("c.count_call", "2 p.color 1")
    r.send("eth0", [FRAME] * 3)
    assert (r.read("p.color"), r.read("c.count_call")) == ("0", "2")
    r.write("c.count_call", "8 p.color 2")
    r.send("eth0", [FRAME] * 2)
    assert r.read("p.color") == "2"
    r.write("c.byte_count_call", "100 p.color 3")
    r.send("eth0", FRAME)
    assert r.read("p.color") == "3"
    r.write("c.count_call", "10")
    r.send("eth0", FRAME)
    assert (r.read("p.color"), r.read("c.count_call")) == ("3", "")


@pytest.mark.parametrize("text", ["x", "", "5 nobody.color 1", "5 p.no 1"])
def test_count_call_refuses(router, text):
    r = router(ROUTER.format(""))
    with pytest.raises(Exception, match="integer|no element|write handler"):
        r.write("c.count_call", text)


@pytest.mark.executors("native")
@pytest.mark.parametrize("caller", ["c :: Counter(COUNT_CALL 2 {})", "a :: AggregateCounter(COUNT_CALL 1 {})"])
def test_an_instance_decides_which_handlers_it_has(router, capfd, caller):
    others = "s :: Script(TYPE PROXY, print $0 $args); t :: StrideSched(1, 2); Idle -> t -> Discard; Idle -> [1] t;"
    r = router(f"FromDevice(eth0) -> {caller.format('s.anything at all')} -> {caller.format('t.tickets0 7').replace(' ::', '2 ::')}"
               f" -> Discard; {others}")  # fmt: skip
    r.send("eth0", [FRAME] * 3)
    assert capfd.readouterr().out == "anything at all\n"
    assert r.read("t.tickets0") == "7"
    r.write(f"{caller[0]}.count_call", "9 t.tickets1 3")
    with pytest.raises(ClickError, match=r"no 't\.tickets2' write handler"):
        r.write(f"{caller[0]}.count_call", "9 t.tickets2 3")


CALLERS = [
    *("Counter(COUNT_CALL 5 p.no 1)", "Counter(BYTE_COUNT_CALL 5 p.count)"),
    *("AggregateCounter(AGGREGATE_CALL 5 p.no)", "TimeFilter(END_CALL p.no)"),
]


@pytest.mark.executors("native")
@pytest.mark.parametrize("caller", CALLERS)
def test_a_router_whose_calls_nobody_takes_is_not_started(router, caller):
    with pytest.raises(ClickError, match=r"no 'p\.(no|count)' write handler"):
        router(f"FromDevice(eth0) -> {caller} -> p :: Counter -> Discard;")


@pytest.mark.needs("root")
def test_both_executors_agree():
    assert_element_equivalent("Counter", packets=1000)
    assert_equivalent(ROUTER.format("COUNT_CALL 300 p.color 7, BYTE_COUNT_CALL 90000 c.reset"), 1000)


@pytest.mark.needs("root")
@pytest.mark.parametrize("hook", axis("bpf", "tc"))
@pytest.mark.parametrize("call", ["COUNT_CALL 300 c.reset", "COUNT_CALL 700 p.color 7", "BYTE_COUNT_CALL 90000 c.reset"])
def test_executors_agree_on_calls(call, hook):
    assert_equivalent(ROUTER.format(call), 2000, executors=("native", hook))


@pytest.mark.needs("root")
@pytest.mark.parametrize(
    "calls, given_up",
    [
        ("COUNT_CALL 5 p.color 7", [5]),
        ("COUNT_CALL 5 c.reset", [5, 10]),
        ("BYTE_COUNT_CALL 250 p.color 7", [3]),
        ("BYTE_COUNT_CALL 300 c.reset", [3, 6, 9, 12]),
        ("COUNT_CALL 1 p.color 7", [1]),
    ],
)
def test_only_the_packet_of_a_call_leaves_the_kernel(calls, given_up):
    with start(ROUTER.format(calls), "bpf") as r:
        seen = verdicts(r)
        for _ in range(12):
            r.send("eth0", FRAME)
        assert [number for number, verdict in enumerate(seen, 1) if verdict == HANDED] == given_up
        assert r.read("c.count") == ("12" if "color" in calls else str(12 - given_up[-1]))


@pytest.mark.needs("root")
def test_two_calls_keep_packets_in_the_kernel_while_both_are_far():
    with start(ROUTER.format("COUNT_CALL 100 p.color 7, BYTE_COUNT_CALL 100000000 p.color 1"), "bpf") as r:
        slots = r.runtime.slots
        seen = verdicts(r)
        for _ in range(120):
            verdict, _, frame = r.run("eth0", FRAME)
            if verdict == HANDED:
                r.runtime.handover(frame, "eth0")
        assert seen == [DROPPED] * (100 - slots) + [HANDED] * slots + [DROPPED] * 20
        assert (r.read("p.color"), r.read("c.count")) == ("7", "120")


@pytest.mark.needs("root")
@pytest.mark.parametrize("call, what", [("COUNT_CALL 30000", "count"), ("BYTE_COUNT_CALL 3000000", "byte_count")])
def test_cpus_that_count_at_once_stop_before_the_call(call, what):
    """All that the CPUs have counted is taken off what is left, and they leave the call to the runtime. (A CPU may give packets up
    earlier, while others count; they have the handover's record in front in its next runs, and so more bytes.)"""
    with start(ROUTER.format(f"{call} p.color 7"), "bpf") as r:

        def count(cpu: int) -> None:
            os.sched_setaffinity(0, {cpu})
            for _ in range(20):
                r._programs["eth0"].test_run(FRAME, repeat=2000)

        threads = [threading.Thread(target=count, args=(cpu,)) for cpu in sorted(os.sched_getaffinity(0))[:2] * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        left = r.runtime.instances["c"].state.vars.left[what == "byte_count"]
        assert int(r.read(f"c.{what}")) + left == int(call.split()[1])
        assert 0 < left < 1000 and r.read("p.color") == "0"
        for _ in range(left if what == "count" else 10):
            r.send("eth0", FRAME)
        assert r.read("p.color") == "7"


@pytest.mark.needs("root")
def test_punt_comes_before_any_change():
    """It PUNTs the packet of a call."""
    assert assert_punts_unchanged("Counter(COUNT_CALL 3 x.reset)", packets=100).count
    assert assert_punts_unchanged("Counter(BYTE_COUNT_CALL 900 x.reset)", packets=100).count


PUNTS = [Reach("Counter(COUNT_CALL 3 x.reset)")]

MISTAKES = {
    "Idle -> Counter(COUNT_CALL x p.color 1) -> p :: Paint(1) -> Discard;": "COUNT_CALL: 'x' is not an integer",
    "Idle -> Counter(COUNT_CALL 5 nobody.color 1) -> p :: Paint(1) -> Discard;": "COUNT_CALL: no element named 'nobody'",
}
