"""One router in the place of another: packets, tables and files stay where names and classes are the same."""

import threading
import time

import pytest
from tests.runtime.routers import LIBRARY, SECOND, frame

from clickbpf.args.error import ArgError
from clickbpf.compile import Compilation, check_text
from clickbpf.errors import ClickError
from clickbpf.runtime.client import ControlClient
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.library import HOST
from clickbpf.runtime.session import Session
from clickbpf.runtime.swap import take_over

STOPPED = "FromDevice(eth0) -> q :: Queue(20000) -> Unqueue(ACTIVE {active}) -> Queue(20000) -> ToDevice(eth1);"


def test_ten_thousand_packets_stay_in_order(routers):
    router = routers(STOPPED.format(active="false"))
    sent = [frame(number) for number in range(10_000)]
    for each in sent:
        router.now.inject("eth0", each, settle=False)
    router.now.settle()
    router.replace("FromDevice(eth0) -> c :: Counter -> q :: Queue(10000) -> Unqueue -> Queue(20000) -> ToDevice(eth1);")
    assert router.now.collect("eth1") == sent
    assert (router.read("q.highwater_length"), router.read("q.drops"), router.now.packets) == ("10000", "0", 0)
    router.now.inject("eth0", frame(7))
    assert router.now.collect("eth1") == [frame(7)]


@pytest.mark.parametrize("class_name, kept", [("Queue", range(5)), ("FrontDropQueue", range(5, 10)), ("SimpleQueue", range(5))])
def test_a_smaller_queue_keeps_what_it_would_have_kept(routers, capsys, class_name, kept):
    text = "FromDevice(eth0) -> q :: %s(%d) -> u :: Unqueue(ACTIVE %s) -> Queue -> ToDevice(eth1);"
    router = routers(text % (class_name, 10, "false"))
    for number in range(10):
        router.now.inject("eth0", frame(number))
    router.replace(text % (class_name, 5, "true"))
    assert router.now.collect("eth1") == [frame(number) for number in kept]
    assert "some packets lost (old length 10, new capacity 5)" in capsys.readouterr().err


def test_another_class_or_name_takes_nothing(routers):
    router = routers(STOPPED.format(active="false"))
    router.now.inject("eth0", frame(1))
    router.replace(STOPPED.format(active="true").replace("Queue(20000)", "FrontDropQueue(20000)"))
    assert router.now.collect("eth1") == []
    assert router.now.packets == 0, "its packets are gone, not leaked"


def test_a_device_keeps_its_address(routers):
    """ToHost gives Linux what it takes for its own: by the address of the device that the packet came from."""
    own, text = bytes.fromhex("020000000001"), "FromDevice(eth0) -> {}SetPacketType(HOST) -> ToHost(eth0);"
    router = routers(text.format(""))
    router.now.set_address("eth0", own)
    for way in ("", "Null -> "):
        router.now.inject("eth0", frame(1))
        assert router.now.collect("eth0", HOST) == [own + frame(1)[6:]]
        router.replace(text.format(way))
    router.now.inject("eth0", frame(1))
    assert router.now.collect("eth0", HOST) == [own + frame(1)[6:]]


def test_a_counter_begins_anew(routers):
    """Click's Counter has no take_state."""
    text = "FromDevice(eth0) -> c :: Counter -> Discard;"
    router = routers(text)
    router.now.inject("eth0", frame(1))
    router.replace(text)
    assert router.read("c.count") == "0"


@pytest.mark.parametrize(
    "text, says",
    [
        ("FromDevice(eth0) -> Queue -> Discard; x :: Nonsense", "unknown element class 'Nonsense'"),
        ("FromDevice(eth0) -> Queue -> Queue -> Discard;", "connected to push input 0"),
        ("Idle -> ToDump(/nonexistent/file);", "No such file"),
    ],
)
def test_the_old_one_goes_on_if_the_new_one_is_none(routers, text, says):
    router = routers(STOPPED.format(active="false"))
    router.now.inject("eth0", frame(1))
    with pytest.raises(ClickError, match=says):
        router.replace(text)
    router.write("Unqueue@3.active", "true")
    assert router.now.collect("eth1") == [frame(1)]


ARP = """
FromDevice(eth0) -> Strip(14) -> SetIPAddress(10.0.0.2) -> arp :: ARPQuerier(10.0.0.1/24, 02:00:00:00:00:01) -> Queue -> ToDevice(eth1);
Idle -> [1]arp; {more}
"""


def test_arp_entries_and_packets_that_wait_for_them(routers):
    router = routers(ARP.format(more=""))
    router.write("arp.insert", "10.0.0.9 02:00:00:00:00:09")
    router.now.inject("eth0", frame(1))
    assert len(router.now.collect("eth1")) == 1, "a request"
    router.now.advance(3 * SECOND)
    router.replace(ARP.format(more="Idle -> Discard;"))
    assert router.read("arp.table").splitlines()[0] == "10.0.0.9 1 02-00-00-00-00-09 3.000000"
    assert (router.read("arp.length"), router.read("arp.queries")) == ("1", "1")
    router.now.inject("eth0", frame(2))
    router.now.collect("eth1")
    assert router.read("arp.length") == "2"


def test_arp_of_another_address_begins_anew(routers):
    router = routers(ARP.format(more=""))
    router.write("arp.insert", "10.0.0.9 02:00:00:00:00:09")
    router.replace(ARP.format(more="").replace("00:00:01)", "00:00:02)"))
    assert router.read("arp.count") == "0"


def test_a_dump_is_written_on(routers, tmp_path):
    text = f"FromDevice(eth0) -> d :: ToDump({tmp_path}/x.pcap, SNAPLEN 0) -> Discard;"
    router = routers(text)
    router.now.inject("eth0", frame(1))
    router.replace(text + "Idle -> Discard;")
    router.now.inject("eth0", frame(2))
    router.now.close()
    router = routers(f"FromDump({tmp_path}/x.pcap, STOP true) -> ToDevice(eth1);")
    assert router.now.collect("eth1") == [frame(1), frame(2)]


def test_a_dump_is_read_on(routers, tmp_path):
    router = routers(f"FromDevice(eth0) -> ToDump({tmp_path}/x.pcap, SNAPLEN 0) -> Discard;")
    for number in range(5):
        router.now.inject("eth0", frame(number))
    router.now.close()
    text = f"f :: FromDump({tmp_path}/x.pcap) -> u :: Unqueue(LIMIT %d) -> Queue -> ToDevice(eth1);"
    router = routers(text % 2)
    assert router.now.collect("eth1") == [frame(0), frame(1)]
    router.replace(text % 10)
    assert router.now.collect("eth1") == [frame(2), frame(3), frame(4)]


def attend(running: Session, happened) -> None:
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end
        running.wait(0.01)


class TestWhileItRuns:
    """The handler hotconfig, whose routers have threads of their own."""

    @pytest.fixture
    def session(self):
        def make(text: str, old: Runtime | None = None) -> Runtime:
            runtime = Runtime(Compilation(check_text(text, LIBRARY)), replaces=old, threads=2)
            try:
                runtime.initialise()
            except ClickError:
                runtime.close()
                raise
            return runtime

        def replace(text: str) -> Runtime:
            new = make(text, started.runtime)
            take_over(new, started.runtime, {})
            new.start()
            return new

        started: Session

        def start(text: str) -> Session:
            nonlocal started
            started = Session(make(text), replace)
            started.runtime.start()
            return started

        yield start
        started.close()

    def test_clients_stay_connected(self, session, tmp_path):
        control = f"ControlSocket(UNIX, {tmp_path}/control);"
        running = session(f"Idle -> s :: Switch(0) -> Idle; cs :: {control}")
        with ControlClient(tmp_path / "control") as client:
            for number in (0, 1, 2):
                more = "".join(f"s[{port}] -> Idle; " for port in range(1, number + 1))
                client.write("hotconfig", f"Idle -> s :: Switch({number}) -> Idle; {more} cs :: {control}")
                running.wait(0)
                assert client.read("s.switch") == str(number)

    def test_sources_that_run_lose_nothing_they_have_queued(self, session):
        text = "i :: InfiniteSource(LIMIT %d) -> q :: Queue(100000) -> d :: Discard(ACTIVE %s); StaticThreadSched(i 0, d 1);"
        running = session(text % (20_000, "false"))
        attend(running, lambda: running.runtime.handlers.read("i", "count") == "20000")
        running.runtime.handlers.write("", "hotconfig", text % (0, "true"))
        attend(running, lambda: running.runtime.handlers.read("q", "length") == "0")
        assert running.runtime.handlers.read("d", "count") == "20000"
        assert running.runtime.packets == 0

    def test_mistakes_are_told_in_clicks_words(self, session):
        running = session("Idle -> s :: Switch(0) -> Idle;")
        with pytest.raises(ClickError) as caught:
            running.runtime.handlers.write("", "hotconfig", "Idle -> Nonsense -> Discard;")
        assert caught.value.message == "config:1: undeclared element 'Nonsense'"
        assert running.runtime.handlers.read("s", "switch") == "0"

    @pytest.mark.parametrize("moment", (1, 2, 3))
    def test_another_router_at_any_moment_is_not_the_end_of_the_run(self, session, monkeypatch, moment):
        """The main thread looks whether the run is over while another thread puts another router in the place of this one."""
        running, looks, read = session("Idle -> Discard;"), [], Runtime.runs.fget

        def runs(runtime: Runtime) -> int:
            looks.append(None)
            if len(looks) == moment:
                running.runtime.handlers.write("", "hotconfig", "Idle -> Discard;")
            return read(runtime)

        monkeypatch.setattr(Runtime, "runs", property(runs))
        assert not running.wait(0)
        looks.clear()
        assert not running.over()
        assert not running.runtime.retired

    def test_the_last_router_is_closed_after_a_change_that_has_begun(self, session):
        """Not under its feet: the change works with the last router's sockets."""
        running = session("Idle -> Discard;")
        begun, go_on, steps = threading.Event(), threading.Event(), []

        def replace() -> Runtime:
            begun.set()
            assert go_on.wait(60)
            steps.append("changed")
            return running.runtime

        changing = threading.Thread(target=lambda: running.change(replace))
        changing.start()
        assert begun.wait(60)
        ending = threading.Thread(target=lambda: (running.end(), steps.append("ended")))
        ending.start()
        ending.join(0.2)
        go_on.set()
        for thread in (changing, ending):
            thread.join(60)
        assert steps == ["changed", "ended"]
        running._retired.clear()
        with pytest.raises(ClickError, match="the router has ended"):
            running.runtime.handlers.write("", "hotconfig", "Idle -> Discard;")

    def test_a_script_may_replace_its_own_router(self, session):
        running = session('Script(wait 1ms, writeq hotconfig "q :: Idle -> Discard;");')
        attend(running, lambda: "q" in running.runtime.instances)
        assert not running.runtime.retired

    def test_a_script_does_not_wait_for_another_router(self, session):
        """Which needs the lock under which the script runs."""
        running = session('s :: Script(TYPE PASSIVE, writeq hotconfig "Idle -> Discard;");')
        refusals = []

        def script() -> None:
            with pytest.raises(ClickError) as caught:
                running.runtime.handlers.write("s", "run")
            refusals.append(caught.value.message)

        def replace() -> Runtime:
            thread = threading.Thread(target=script)
            thread.start()
            thread.join(10)
            assert not thread.is_alive()
            return running.runtime

        running.change(replace)
        running._retired.clear()
        assert "another configuration is just replacing this one" in refusals[0]
        running.runtime.handlers.write("s", "run")
        assert "s" not in running.runtime.instances


def test_the_old_router_stands_still(routers):
    """Its run is over as soon as another has its place; the other's goes on."""
    r = routers("Idle -> Discard;")
    old, r.now = r.now, Runtime(Compilation(check_text("Idle -> Discard;", LIBRARY)), clock=r.now.clock, replaces=r.now)
    r.now.initialise()
    assert not old.over
    take_over(r.now, old, {})
    assert old.over and not r.now.over
    old.close()


def test_take_state_may_fail_and_the_new_router_runs(routers, monkeypatch, capsys):
    """It is too late to go back."""

    def fail(self, before):
        raise ArgError("no")

    router = routers(STOPPED.format(active="false"))
    monkeypatch.setattr(type(router.now.instances["q"]), "take_state", fail)
    router.replace(STOPPED.format(active="true"))
    assert "'q' can't take state" in capsys.readouterr().err
    router.now.inject("eth0", frame(1))
    assert router.now.collect("eth1") == [frame(1)]
