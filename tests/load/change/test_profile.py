"""Profiling a loaded router: what is counted, what is compiled with it, and that no packet notices."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.axes import axis
from tests.load.change.test_trace import NAME, Line, frame
from tests.waiting import eventually

from clickbpf.load.files.places import RunFolder
from clickbpf.load.process import service
from clickbpf.objects.manifest import Manifest
from clickbpf.testing.netns import Network
from clickbpf.testing.traffic import RawPort

pytestmark = pytest.mark.needs("root", "clang-19", "ip", "ethtool", "tc")

#: Of three frames that are sent one is of the second rule, and two are of the last.
RULES = ("12/88b0", "12/88b5 14/00", "12/88b1", "12/88b5")
ROUTER = f"""
FromDevice(eth0) -> c :: Counter -> kind :: Classifier({', '.join(RULES)});
kind[0] -> Discard; kind[2] -> Discard;
out :: Queue -> ToDevice(eth1);
kind[1] -> Counter -> out; kind[3] -> Counter -> out;
FromDevice(eth1) -> Queue -> ToDevice(eth0);
"""


@pytest.fixture(params=axis("xdp", "tc"))
def line(request, net: Network) -> Iterator[Line]:
    made = Line(net, "--hook", request.param)
    made.load("-e", ROUTER)
    yield made
    made.command("unload", NAME)


def numbered(number: int) -> bytes:
    """A frame with its number, of the last rule unless it is a multiple of 3."""
    made = frame(number)
    return made[:14] + bytes([number % 3 != 0]) + made[15:]


@contextmanager
def traffic(line: Line) -> Iterator[None]:
    """Numbered frames cross the router within this context: all arrive, in order."""
    ended, sent = threading.Event(), []
    with RawPort(line.left, "eth0") as left, RawPort(line.right, "eth0") as right:

        def send() -> None:
            while not ended.is_set():
                left.send(numbered(len(sent)))
                sent.append(numbered(len(sent))[:18])
                time.sleep(0.001)

        sender = threading.Thread(target=send)
        sender.start()
        try:
            yield
        finally:
            ended.set()
            sender.join()
        assert [data[:18] for data in iter(lambda: right.receive(2), None)] == sent


def profiling(line: Line, seconds: float) -> subprocess.Popen:
    """A profile that has begun, or is about to."""
    command = line.words("profile", NAME, "--seconds", str(seconds))
    process = line.router.popen(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr.readline() == f"counting the packets of {NAME} for {seconds:g} s\n"
    return process


def profile_of() -> dict[str, int]:
    """The packets that the loaded router was compiled for."""
    manifest = Manifest.from_object(RunFolder.of(NAME).object.read_bytes())
    return manifest.planned["profile"]["elements"]["kind"]


def test_packets_are_counted_by_their_rules(line: Line) -> None:
    """All that come meanwhile, and the plain build comes back."""
    plain = line.programs()
    with traffic(line):
        said, complaints = profiling(line, 1).communicate(timeout=60)
    assert not complaints, line.command("log", NAME)
    counts = json.loads(said)["elements"]["kind"]
    assert list(counts) == [*RULES, "no rule"]
    assert counts["12/88b0"] == counts["12/88b1"] == counts["no rule"] == 0
    assert counts["12/88b5 14/00"] > 0
    assert abs(counts["12/88b5"] - 2 * counts["12/88b5 14/00"]) <= 2
    assert line.programs() == plain


def test_the_router_is_replaced_by_one_for_its_packets(line: Line, tmp_path) -> None:
    """Counted by the same command, or by one before it; traces and other arguments keep it."""
    with traffic(line):
        line.load("--replace", "--profile", "1", "-e", ROUTER)
        counts = profile_of()
        assert counts["12/88b5"] > counts["12/88b5 14/00"] > 0
        (tmp_path / "profile.json").write_text(json.dumps({"elements": {"kind": {"12/88b5": 70}}}))
        line.load("--replace", "--profile", str(tmp_path / "profile.json"), "-e", ROUTER)
        assert profile_of() == {"12/88b5": 70}
        assert profiling(line, 0.1).wait(timeout=60) == 0
        line.command("write", "-r", NAME, "kind.config", ", ".join([*RULES[:3], "12/88b5 17/00%00"]))
        assert profile_of() == {"12/88b5": 70}


def test_a_dry_run_counts_nothing(line: Line) -> None:
    plain = line.programs()
    words = line.words("load", "-n", NAME, *line.options, "--replace", "--dry-run", "--profile", "60", "-e", ROUTER)
    done = line.router.run(*words, timeout=50)
    assert "would be" in done.stdout and "counting" not in done.stderr
    assert line.programs() == plain


def test_a_profile_of_no_packets_is_reported(line: Line) -> None:
    said, complaints = profiling(line, 0.1).communicate(timeout=60)
    assert set(json.loads(said)["elements"]["kind"].values()) == {0}
    assert complaints == f"no packet met a rule of {NAME} meanwhile: the profile changes nothing\n"


def test_an_interrupted_profile_leaves_the_plain_build(line: Line) -> None:
    plain = line.programs()
    for end in (signal.SIGINT, signal.SIGKILL):
        process = profiling(line, 600)
        assert eventually(lambda: line.programs() != plain)
        process.send_signal(end)
        process.communicate(timeout=60)
        assert eventually(lambda: line.programs() == plain)


def refused(line: Line, *words: str) -> str:
    done = line.router.run(*line.words(*words), check=False, timeout=60)
    assert done.returncode == 1
    return done.stderr


def test_what_is_refused(line: Line) -> None:
    assert "counts the packets of the router that is replaced" in refused(line, "load", "-n", NAME, "--profile", "5", "-e", ROUTER)
    process = line.trace()
    assert "the router is being traced already" in refused(line, "profile", NAME)
    process.terminate()
    process.communicate(timeout=60)
    process = profiling(line, 600)
    assert eventually(lambda: "is being profiled already" in refused(line, "trace", NAME, "-c", "1"))
    changed = ", ".join(reversed(RULES))
    assert "the router is being profiled, and its kernel path" in refused(line, "write", "-r", NAME, "kind.config", changed)
    line.load("--replace", "-e", ROUTER)
    assert f"{NAME} was replaced or unloaded while its packets were counted" in process.communicate(timeout=60)[1]
    line.load("--replace", "--no-kernel", "-e", ROUTER)
    assert "nothing of the router can be profiled" in refused(line, "profile", NAME)
    os.kill(service.alive(RunFolder.of(NAME)), signal.SIGKILL)
    assert eventually(lambda: not service.alive(RunFolder.of(NAME)))
    assert "only it can count packets" in refused(line, "profile", NAME)
