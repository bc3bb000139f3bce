"""`run`: the options of Click's user-level driver."""

import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.waiting import connected, eventually

from clickbpf.load.files import places
from clickbpf.testing.traffic import ping

from .conftest import OWN, command, environment, execute

#: Three packets, then the end.
THREE = "InfiniteSource(LIMIT 3, STOP true) -> c :: Counter -> Discard"


def until(child, happened):
    """Wait until something happens that a command in the background is to do."""
    assert eventually(lambda: child.poll() is not None or (happened() and catches(child.pid, signal.SIGTERM))) and child.poll() is None


def catches(pid: int, number: signal.Signals) -> bool:
    """Whether a process has a handler for a signal: the driver has, once it runs."""
    caught = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


def test_handler_in_the_end(clickbpf):
    done = clickbpf("run", "-e", THREE, "-h", "c.count")
    assert (done.status, done.out, done.err) == (0, "3\n", "")


def test_several_handlers_have_titles(clickbpf):
    """Click's format."""
    assert clickbpf("run", "-e", THREE, "-h", "c.count", "-h", "c.class").out == "c.count:\n3\n\nc.class:\nCounter\n\n"


def test_what_a_handler_prints_stands_below_its_title(clickbpf):
    """Also the value of a handler that fails."""
    scripts = 's :: Script(TYPE PASSIVE, print "in s", return 42); e :: Script(TYPE PASSIVE, print "in e", error oh)'
    done = clickbpf("run", "-q", "-e", scripts, "-h", "s.run", "-h", "e.run", "-h", "s.class", "-h", "s.nosuch")
    assert (done.status, done.out) == (1, "s.run:\nin s\n42\n\ne.run:\nin e\n\ns.class:\nScript\n\n")


def test_patterns_and_classes(clickbpf):
    configuration = "a1 :: Idle -> Discard; a2 :: Idle -> Discard; b :: Idle -> Discard"
    assert clickbpf("run", "-q", "-e", configuration, "-h", "a?.name").out == "a1.name:\na1\n\na2.name:\na2\n\n"
    assert clickbpf("run", "-q", "-e", configuration, "-h", "Idle.name").out.count(":") == 3


def test_a_handler_that_is_not_there_is_reported_before_the_run(clickbpf, monkeypatch):
    """In Click after the run, which may have taken hours."""
    endless = ("run", "-e", "InfiniteSource -> c :: Counter -> Discard", "-h", "c.cuont", "-h", "c.reset", "-h", "d.count", "-h", "c.count")
    done = clickbpf(*endless)
    assert (done.status, done.out) == (1, "")
    assert done.err == (
        "error: no 'c.cuont' handler\nhint: did you mean 'count'?\nerror: 'c.reset' is a write handler\nerror: no element 'd'\n"
    )
    monkeypatch.setenv("CLICKBPF_MESSAGES", "click")
    assert clickbpf("run", "-e", THREE, "-h", "c.cuont", "-h", "c.count").out == "c.count:\n3\n\n"


@pytest.mark.parametrize("option", ["--simtime", "--threads", "--affinity", "--program-limit"])
@pytest.mark.parametrize("value", ["-1", "nan", "inf", "1e300", "\N{ARABIC-INDIC DIGIT ONE}", "9" * 5000, ""])
def test_numbers_that_options_do_not_take(clickbpf, option, value):
    done = clickbpf("run", "-q", f"{option}={value}", "-e", THREE)
    assert done.status == 2 and re.search(rf"{option}.*: '{re.escape(value)}' is not an? (integer|number) from \d+ to \d+\n", done.err)


@pytest.mark.parametrize("option", ["--threads=0", "--threads=1025", "--program-limit=0"])
def test_numbers_beyond_their_limits(clickbpf, option):
    done = clickbpf("run", "-q", option, "-e", THREE)
    assert done.status == 2 and " is not an integer from 1 to " in done.err


def test_threads_on_a_processor_that_is_not_there(clickbpf):
    done = clickbpf("run", "--affinity=1023", "-e", THREE)
    assert done.status == 1 and done.err.startswith("error: threads can't run on CPU 1023\nhint: they can on 0")


def test_no_run(clickbpf):
    assert clickbpf("run", "-q", "-e", THREE, "-h", "c.count").out == "0\n"


@pytest.mark.parametrize("handler, status", [("c.count", 3), ("c.class", 255)])
def test_exit_handler(clickbpf, handler, status):
    assert clickbpf("run", "-e", THREE, "-x", handler).status == status


def test_a_script_that_complains_has_its_value(clickbpf):
    """Only one that ends in `error` fails."""
    configuration = "s :: Script(TYPE PASSIVE, read nosuch, return 42); e :: Script(TYPE PASSIVE, error oh)"
    done = clickbpf("run", "-q", "-e", configuration, "-h", "s.run")
    assert (done.status, done.out) == (0, "42\n") and "no 'nosuch' read handler" in done.err
    assert clickbpf("run", "-q", "-e", configuration, "-x", "s.run").status == 42
    assert clickbpf("run", "-q", "-e", configuration, "-h", "e.run").status == 1
    assert clickbpf("run", "-q", "-e", configuration, "-x", "e.run").status == 255


def test_flat_configuration(clickbpf, tmp_path):
    clickbpf("run", "-q", "-e", THREE, "-o", str(tmp_path / "flat"))
    assert "c :: Counter" in (tmp_path / "flat").read_text()


def test_unknown_handler(clickbpf):
    done = clickbpf("run", "-q", "-e", THREE, "-h", "c.nosuch")
    assert (done.status, "c.nosuch" in done.err) == (1, True)


def test_variables(clickbpf):
    done = clickbpf("run", "-e", "InfiniteSource(LIMIT $N, STOP true) -> c :: Counter -> Discard", "-h", "c.count", "N=5")
    assert done.out == "5\n"


@pytest.mark.parametrize("command, words", [("run", ()), ("check", ()), ("load", ("-n", "twice"))])
def test_a_value_given_twice_is_refused(clickbpf, command, words):
    """In Click's words. Click goes on with the first value."""
    done = clickbpf(command, *words, "-e", "FromDevice(eth0) -> Discard", "eth0=a", "eth0=b")
    assert done.status == 1 and "parameter 'eth0' multiply defined" in done.err


def test_options_between_words(clickbpf, tmp_path):
    file = tmp_path / "x.click"
    file.write_text("InfiniteSource(LIMIT $N, STOP true) -> c :: Counter -> Discard")
    assert clickbpf("run", str(file), "-h", "c.count", "N=4").out == "4\n"
    assert clickbpf("run", str(file), "-h", "c.count", "N=4", "--nosuch").status == 2


def test_simulated_time_jumps(clickbpf):
    """An hour passes in no time."""
    began = time.monotonic()
    done = clickbpf("run", "--simtime", "-e", f"{THREE}; Script(wait 3600, stop)", "-h", "c.count")
    assert (done.out, time.monotonic() - began < 30) == ("3\n", True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it_cleanly(number, tmp_path):
    """As in Click, the handlers are still called."""
    socket = tmp_path / "control"
    words = command("run", "-e", "i :: Idle -> Discard", "-h", "i.class", "-u", str(socket))
    child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment())
    with connected(socket) as client:
        assert client.read("i.class") == "Idle"
    child.send_signal(number)
    out, _ = child.communicate(timeout=60)
    assert (child.returncode, out) == (0, "Idle\n")


#: A script's remaining steps, and what Click 2.1 prints of them at an interrupt.
LAST_WORDS = [
    ('pause, print "one", pause, print "two", wait 9s, print "three", stop, print "four"', "one\ntwo\nthree\n"),
    ('pause, print "again", loop', "again\n" * 1001),
]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("script, printed", LAST_WORDS)
def test_a_driver_script_has_the_last_word(number, script, printed, tmp_path):
    """Many configurations print their counts only when they are interrupted."""
    path = tmp_path / "control"
    words = command("run", "-e", f"i :: Idle -> Discard; DriverManager({script})", "-u", str(path))
    child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment())
    with connected(path) as client:
        assert client.read("i.class") == "Idle"
    child.send_signal(number)
    out, _ = child.communicate(timeout=60)
    assert (child.returncode, out) == (0, printed)


#: `clickbpf run WORD...`, which takes its time before it looks after signals.
SLOW = """
import sys, time
from clickbpf.cli import run
from clickbpf.cli.main import main

def late(running, before=run._end_on_signals):
    time.sleep(1)
    before(running)

run._end_on_signals = late
sys.exit(main(["run", *sys.argv[1:]]))
"""


def test_whoever_is_answered_may_end_it(tmp_path):
    path = tmp_path / "control"
    words = [sys.executable, "-c", SLOW, "-e", "i :: Idle -> Discard", "-u", str(path)]
    child = subprocess.Popen(words, env=environment())
    with connected(path) as client:
        assert client.read("i.class") == "Idle"
    child.send_signal(signal.SIGTERM)
    assert child.wait(60) == 0


#: `clickbpf run WORD...`, interrupted in the moment in which the runtime has started.
INTERRUPTED_AT_ONCE = """
import signal, sys
from clickbpf.cli.main import main
from clickbpf.runtime.host import Runtime

def start(runtime, before=Runtime.start):
    before(runtime)
    signal.raise_signal(signal.SIGINT)

Runtime.start = start
sys.exit(main(["run", *sys.argv[1:]]))
"""


def test_interrupted_as_soon_as_it_runs_it_ends_cleanly():
    words = [sys.executable, "-c", INTERRUPTED_AT_ONCE, "-e", "i :: Idle -> Discard", "-h", "i.class"]
    done = subprocess.run(words, capture_output=True, text=True, env=environment(), timeout=180)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Idle\n", "")


def test_control_socket(tmp_path):
    path = tmp_path / "control"
    child = subprocess.Popen(command("run", "-e", "i :: Idle -> Discard", "-u", str(path)), env=environment())
    try:
        with connected(path) as client:
            assert client.read("i.class") == "Idle"
    finally:
        child.terminate()
        child.wait(60)


@pytest.mark.needs("root", "ip", "clang-19")
class TestOnDevices:
    def test_forwards_until_interrupted(self, net, router, cable):
        child = router.popen(*command("run", str(cable), "-h", "c.count"), stdout=subprocess.PIPE, text=True, env=environment())
        host = net.namespaces[1]
        until(child, lambda: ping(host, "10.0.0.2", wait=0.5))
        assert ping(host, "10.0.0.2", 3) == 3
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
        assert child.returncode == 0 and int(out) >= 4
        assert "prog/xdp" not in router.ip("-d", "link")
        assert not [name for name in places.loaded() if name.startswith(OWN)]

    def test_interrupted_as_soon_as_it_runs_it_ends_cleanly(self, router, cable):
        """Before it is attached, even."""
        words = router.command(sys.executable, "-c", INTERRUPTED_AT_ONCE, str(cable), "-h", "c.count")
        done = subprocess.run(words, capture_output=True, text=True, env=environment(), timeout=180)
        assert (done.returncode, done.stdout) == (0, "0\n")
        assert "prog/xdp" not in router.ip("-d", "link")

    def test_killed_it_leaves_nothing_attached(self, net, router, cable):
        child = router.popen(*command("run", str(cable)), env=environment())
        until(child, lambda: "prog/xdp" in router.ip("-d", "link"))
        child.kill()
        child.wait()
        assert eventually(lambda: "prog/xdp" not in router.ip("-d", "link"))

    def test_all_in_user_space(self, net, router, cable):
        words = command("run", "--no-kernel", str(cable), "-h", "c.count")
        child = router.popen(*words, stdout=subprocess.PIPE, text=True, env=environment())
        host = net.namespaces[1]
        until(child, lambda: ping(host, "10.0.0.2", wait=0.5))
        assert ping(host, "10.0.0.2", 3) == 3
        child.terminate()
        out, _ = child.communicate(timeout=60)
        assert int(out) >= 4

    def test_device_that_is_not_there(self, router, cable):
        done = execute(router, "run", str(cable), "eth1=eth7")
        assert (done.status, "there is no network device eth7" in done.err) == (1, True)

    def test_router_that_only_sends(self, net, router):
        """No packet enters it by the kernel: nothing is attached, AF_XDP sends."""
        frame = r"\<ffffffffffff 020000000001 88b5 " + "00" * 46 + ">"
        source = f"i :: InfiniteSource(DATA {frame}, LIMIT 5, STOP true)"
        with net.namespaces[1].socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x88B5)) as arriving:
            arriving.bind(("eth0", 0x88B5))
            arriving.settimeout(60)
            done = execute(router, "run", "-e", f"{source} -> Queue -> t :: ToDevice(eth0)", "-h", "t.count")
            assert (done.status, done.out) == (0, "5\n")
            assert [len(arriving.recv(2048)) for _ in range(5)] == [60] * 5
