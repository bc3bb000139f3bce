"""Routers that begin with quickly compiled code, and go on with optimised code on the same variables."""

import os
import re
import shutil
import signal
import subprocess
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from scapy.layers.inet import IP, UDP, fragment
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Raw
from tests.cli.conftest import command, environment, kill
from tests.runtime.conftest import OWN
from tests.waiting import eventually

from clickbpf.background import Background
from clickbpf.build.host import FLAGS_VARIABLE, is_exchangeable
from clickbpf.compile import Compilation, NativeRouter, check_text
from clickbpf.errors import ClickError
from clickbpf.load.files.process import Process
from clickbpf.runtime import library
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.library import RouterObject
from clickbpf.vocabulary.library import Library, own_elements

START = 10**12


@pytest.fixture
def quick(monkeypatch) -> Iterator[Callable[..., Runtime]]:
    """`quick(text)` is a router as if nothing of it were compiled yet."""
    monkeypatch.setenv(FLAGS_VARIABLE, "")
    monkeypatch.setattr("clickbpf.build.host.built_router", lambda *_: None)
    running: list[Runtime] = []

    def start(text: str, folder: Path = OWN, **options) -> Runtime:
        made = Compilation(check_text(text, Library([folder, own_elements()])))
        running.append(Runtime(made, soon=True, **options))
        return running[-1].__enter__()

    yield start
    for runtime in running:
        runtime.close()


def test_a_router_that_ends_soon_begins_no_compiler(quick, monkeypatch):
    begun = []
    monkeypatch.setattr("clickbpf.background.Background.run", lambda *_: begun.append(1))
    monkeypatch.setattr("clickbpf.runtime.optimising.WORTHWHILE", 3600)
    runtime = quick("FromDevice(eth0) -> Discard")
    runtime.start()
    assert runtime.is_quick
    runtime.close()  # doesn't wait for the hour to be over
    assert not begun


def change(runtime: Runtime) -> bool:
    better = RouterObject(runtime.native.path)
    with runtime.locked():
        changed = runtime.exchange(runtime.native, better)
        runtime.is_quick = runtime.is_quick and not changed
    if not changed:
        better.close()
    return changed


def test_whatever_is_called_is_optimised_afterwards(quick):
    """The action, and what the scheduler and Python call."""
    runtime = quick("FromDevice(eth0) -> w :: Which -> Discard")
    which = runtime.instances["w"]
    runtime.start()

    def all_are_called(how: str) -> bool:
        runtime.push("w", bytes(60), settle=False)
        runtime.call("w", 1)
        return all(which.calls(how).values())

    assert runtime.is_quick
    assert eventually(lambda: all_are_called("slow"))
    assert not any(which.calls("fast").values())
    assert change(runtime) and not runtime.is_quick
    before = which.calls("slow")
    assert eventually(lambda: all_are_called("fast"))
    assert which.calls("slow") == before


#: Packets that wait in queues and for addresses, flows, fragments, aggregates, timers, a script and chance.
ROUTER = """
nat :: IPRewriter(pattern 1.0.0.1 1024-65535 - - 0 1, drop);
arp :: ARPQuerier(1.0.0.1/24, 2:0:0:0:0:1);
FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPReassembler -> in :: Counter -> [0]nat;
nat[0] -> q :: Queue(20) -> RatedUnqueue(7) -> SetIPAddress(1.0.0.9) -> RandomSample(0.8) -> arp -> Queue -> ToDevice(eth1);
from :: FromDevice(eth1) -> cl :: Classifier(12/0806 20/0002, 12/0800);
cl[0] -> [1]arp;
cl[1] -> Strip(14) -> CheckIPHeader -> [1]nat[1] -> AggregateIP(ip dst) -> ac :: AggregateCounter
    -> EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2) -> Queue -> d :: DelayShaper(0.3) -> ToDevice(eth0);
t :: TimedSource(0.21) -> ticks :: Counter -> Discard;
Script(TYPE ACTIVE, set n 0, label again, wait 0.4, set n $(add $n 1), write ticks.reset, goto again $(lt $n 9), return $n);
"""
READ = [
    *(("in", "count"), ("q", "length"), ("q", "drops"), ("q", "highwater_length"), ("nat", "udp_table"), ("nat", "size")),
    *(("arp", "table"), ("ac", "count"), ("ticks", "count")),
]


def life(runtime: Runtime, changed: int | None) -> list:
    """All that leaves a router in 60 tenths of a second, and what can be read; it changes to optimised code at the beginning of one."""
    seen: list = []
    runtime.seed(1)
    for number in range(60):
        if number == changed:
            assert change(runtime)
        packet = IP(src=f"10.0.0.{number % 5}", dst="8.8.8.8", id=number) / UDP(sport=1000 + number % 7, dport=53) / Raw(bytes(900))
        for part in fragment(packet, 500) if number % 3 == 0 else [packet]:
            runtime.inject("eth0", bytes(Ether() / part))
        runtime.advance(100_000_000)
        sent = runtime.collect("eth1")
        for frame in map(Ether, sent):
            if ARP in frame:
                answer = ARP(op=2, hwsrc="2:0:0:0:0:9", psrc=frame.pdst, hwdst=frame.hwsrc, pdst=frame.psrc)
                runtime.inject("eth1", bytes(Ether(dst="2:0:0:0:0:1") / answer))
            else:
                ip = frame[IP]
                runtime.inject("eth1", bytes(Ether(dst="2:0:0:0:0:1") / IP(src=ip.dst, dst=ip.src) / UDP(sport=ip.dport, dport=ip.sport)))
        seen.append((sent, runtime.collect("eth0"), [runtime.handlers.read(*handler) for handler in READ]))
    return seen


@pytest.mark.whole
def test_everything_stays_where_it_is(quick):
    """Simulated routers repeat themselves, whenever one changes to other code."""
    options = {"clock": START}
    without = life(quick(ROUTER, **options), None)
    assert len({str(step) for step in without}) > 50 and any(step[0] for step in without) and any(step[1] for step in without)
    for changed in (0, 1, 25, 40):
        assert life(quick(ROUTER, **options), changed) == without


def test_nothing_is_lost_under_load(quick):
    """Threads are in the middle of it, and handlers are read and written."""
    runtime = quick(
        "src :: InfiniteSource(LIMIT -1, BURST 8) -> a :: Counter -> ThreadSafeQueue(100) -> Unqueue -> b :: Counter -> w :: Which"
        "-> s :: Suppressor -> c :: Counter -> q :: Queue(64) -> d :: Counter -> Discard(BURST 16); StaticThreadSched(src 0, w 1)",
        threads=2,
    )
    runtime.start()
    which, last = runtime.instances["w"], [0] * 4

    def goes_on() -> bool:
        nonlocal last
        now = [int(runtime.handlers.read(name, "count")) for name in "dcba"]
        assert all(before <= then for before, then in zip(last, now))
        runtime.handlers.write("s", "active0", "true")
        moved, last = all(before < then for before, then in zip(last, now)), now
        return moved

    assert eventually(goes_on) and which.calls("slow")["action"]
    assert change(runtime)
    assert eventually(goes_on) and eventually(lambda: which.calls("fast")["action"])
    runtime.handlers.write("src", "active", "false")
    runtime.stop()
    runtime.settle()
    a, b, c, d = (int(runtime.handlers.read(name, "count")) for name in "abcd")
    assert b == c == sum(which.calls("slow" if how else "fast")["action"] for how in (0, 1))
    assert a == b + int(runtime.handlers.read("ThreadSafeQueue@3", "drops"))
    assert c == d + int(runtime.handlers.read("q", "drops"))
    assert runtime.packets == 0


@pytest.mark.parametrize("when", ["before", "after"])
def test_other_arguments_stay(quick, when):
    """Code for other arguments is compiled soon, too, and then optimised."""
    runtime = quick(
        "FromDevice(eth0) -> p :: Classifier(0/01, -) -> w :: Which -> yes :: Counter -> Discard; p[1] -> no :: Counter -> Discard"
    )

    def pushed() -> tuple[int, ...]:
        """How often packets have left by each output, and met code that is slow or fast."""
        runtime.push("p", bytes(60))
        counts = (int(runtime.handlers.read(name, "count")) for name in ("yes", "no"))
        return *counts, *(runtime.instances["w"].calls(how)["action"] for how in ("slow", "fast"))

    assert pushed() == (0, 1, 0, 0)
    if when == "after":
        assert change(runtime) and not runtime.is_quick
    runtime.handlers.write("p", "config", "0/00, -")
    assert runtime.is_quick and pushed() == (1, 1, 1, 0)
    assert change(runtime) and pushed() == (2, 1, 1, 1)


def test_a_trace_comes_first(quick):
    """Its switches are in the code that packets are on their way through."""
    runtime = quick("FromDevice(eth0) -> w :: Which -> Discard")
    with runtime.locked():
        trace = runtime.begin_trace((), (), 1, 10)
    assert not change(runtime) and runtime.is_quick
    with runtime.locked():
        trace.end()
    assert change(runtime)


def test_code_is_loaded_once_however_long_a_trace_takes(quick, monkeypatch):
    """Packets stand still each time that the router tries to change to it."""
    loaded, load = [], library._open

    def counted(path: Path):
        loaded.extend([path] * path.name.startswith("router-"))
        return load(path)

    monkeypatch.setattr(library, "_open", counted)
    runtime = quick("TimedSource(0.001) -> w :: Which -> Discard")
    with runtime.locked():
        trace = runtime.begin_trace((), (), 1, 10)
    runtime.start()
    assert eventually(lambda: not runtime.wait(0.01) and len(loaded) > 1)
    for _ in range(5):
        runtime.wait(0.01)
    assert len(loaded) == 2 and runtime.is_quick
    with runtime.locked():
        trace.end()
    assert eventually(lambda: not runtime.wait(0.01) and not runtime.is_quick)
    assert len(loaded) == 2


COUNTING = """from clickbpf.declare import USER, Element
class Counting(Element):
    "counts"
    runs = USER
"""


@pytest.mark.parametrize(
    "variable, lasts",
    [
        ("static int seen;\n", False),
        ("static __thread int seen;\n", False),
        ("LASTING(int, seen);\n#define seen (*SELF(seen))\n", True),
    ],
)
def test_variables_that_would_not_last_have_the_optimised_code_waited_for(quick, tmp_path, variable, lasts):
    (tmp_path / "counting.py").write_text(COUNTING)
    (tmp_path / "counting.c").write_text(
        f"{variable}ELEMENT(Counting)\n{{\n\t(void)p;\n\t(void)input;\n\treturn seen++ ? OUTPUT(0) : DROP(FILTERED);\n}}\n"
    )
    runtime = quick("FromDevice(eth0) -> x :: Counting -> c :: Counter -> Discard", folder=tmp_path)
    assert runtime.is_quick == lasts
    runtime.push("x", bytes(60))
    assert not lasts or change(runtime)
    runtime.push("x", bytes(60))
    assert runtime.handlers.read("c", "count") == "1"


def test_zeros_take_no_room_in_an_object(monkeypatch):
    """KernelTun has a buffer for the longest packet; an object with it is exchangeable nevertheless."""
    monkeypatch.setenv(FLAGS_VARIABLE, "")
    native = Compilation(check_text("KernelTun(192.0.2.1/24) -> Discard", Library.standard())).native()
    for path in (native.path, native.optimised(Background())):
        assert path.stat().st_size < 1 << 16 and is_exchangeable(path)


def test_the_library_has_no_such_variables():
    """Static ones that aren't constant, in C files."""
    static = re.compile(r"^\s*static (?!const\b|inline\b|__always_inline\b)[^(=\n]*[;={].*", re.MULTILINE)
    for path in sorted(own_elements().rglob("*.[ch]")):
        text = re.sub(r"SELF\(([\w#]+)\)", r"\1", path.read_text())
        for line in static.findall(text):
            assert re.search(r"LASTS|SCRATCH|\*const \w+ =", line) or "_own = {" in line, f"{path}: {line}"


def test_a_router_goes_on_without(quick, monkeypatch, capfd):
    """What the compiler says is shown once."""

    def fails(*_):
        raise ClickError("compiling the router failed:\nno room")

    monkeypatch.setattr(NativeRouter, "optimised", fails)
    runtime = quick("TimedSource(0.001) -> c :: Counter -> Discard")
    runtime.start()
    said = ""

    def is_said() -> bool:
        nonlocal said
        runtime.wait(0.01)
        said += capfd.readouterr().err
        return "no room" in said

    assert eventually(is_said)
    count = int(runtime.handlers.read("c", "count"))
    assert eventually(lambda: not runtime.wait(0.01) and int(runtime.handlers.read("c", "count")) > count + 20)
    said += capfd.readouterr().err
    assert said.count("no room") == said.count("warning: the router stays slow") == 1


#: A compiler that never ends when it is to optimise a router.
HANGS = """#!/bin/sh
case "$*" in
*-O0*) ;;
*"-x c -"*) echo $$ >{child}.new; mv {child}.new {child}; exec sleep 1000 ;;
esac
exec {compiler} "$@"
"""


@pytest.fixture
def starting(tmp_path) -> Iterator[Callable[..., subprocess.Popen]]:
    """`starting()` runs a router that nobody has compiled, with these further variables in the environment."""
    begun: list[subprocess.Popen] = []

    def start(**variables: str) -> subprocess.Popen:
        line = command("run", "-e", f"x{uuid.uuid4().hex} :: TimedSource(0.01) -> Discard")
        begun.append(subprocess.Popen(line, env={**environment(), FLAGS_VARIABLE: "", **variables}, stderr=subprocess.PIPE, text=True))
        return begun[-1]

    yield start
    for process in begun:
        process.kill()
        process.wait()
        process.stderr.close()


def objects(process: subprocess.Popen) -> int:
    """Of routers, in its memory."""
    maps = Path(f"/proc/{process.pid}/maps").read_text()
    return len(set(re.findall(r"/router-\S*\.so", maps)))


def test_a_router_changes_by_itself(starting):
    process = starting()
    assert eventually(lambda: objects(process) == 2)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0 and process.stderr.read() == ""


@pytest.mark.needs("clang-19", "setpriv")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_no_compiler_is_left(starting, tmp_path, how):
    child, compiler = tmp_path / "child", tmp_path / "clang-19"
    compiler.write_text(HANGS.format(child=child, compiler=shutil.which("clang-19")))
    compiler.chmod(0o755)
    process = starting(PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert eventually(child.exists)
    number = int(child.read_text())
    hanging = Process.of(number)
    assert hanging.runs() and os.getpriority(os.PRIO_PROCESS, number) >= 10
    assert os.getsid(number) == os.getsid(process.pid) and os.getpgid(number) != os.getpgid(process.pid)
    assert objects(process) == 1
    if how == signal.SIGKILL:
        kill(process.pid)
    else:
        process.send_signal(how)
    process.wait(60)
    assert eventually(lambda: not hanging.runs())
