"""A router whose namespace its users enter by `ip netns exec`, which hides the BPF file system, and whose loading process has ended."""

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from subprocess import Popen

import pytest
from tests import commands
from tests.load.change.test_trace import NAME, Line, elements, frame, told

from clickbpf.load.access.access import Access
from clickbpf.load.files.places import Pins
from clickbpf.testing.netns import Network
from clickbpf.testing.traffic import RawPort

pytestmark = pytest.mark.needs("root", "clang-19", "ip", "ethtool", "tc")

#: The runtime sends every frame, for the kernel path has no room for what DelayShaper keeps.
ROUTER = """
FromDevice(eth0) -> c :: Counter -> kind :: Classifier(12/88b5, -);
kind[0] -> paint :: Paint(3) -> Queue -> DelayShaper(1ms) -> ToDevice(eth1);
kind[1] -> Discard; Idle -> ToDevice(eth0);
"""


class Entered(Line):
    """Its commands are a shell's, which ends after them."""

    def command(self, *words: str) -> str:
        inside = shlex.join(["ip", "netns", "exec", self.router.name, sys.executable, "-m", "clickbpf.cli.main", *words])
        return self.router.run("sh", "-c", f"{inside} || exit; true", timeout=120).stdout


@pytest.fixture(params=["xdp", pytest.param("tc", marks=pytest.mark.whole)])
def line(request, net: Network) -> Iterator[Line]:
    made = Entered(net, "--hook", request.param)
    made.load("-e", ROUTER)
    yield made
    made.command("unload", NAME)


def test_it_is_changed_as_others_are(line: Line) -> None:
    """Trace, other arguments, another router: frames cross it meanwhile and afterwards."""
    with RawPort(line.left, "eth0") as left, RawPort(line.right, "eth0") as right:

        def crosses(number: int) -> bool:
            left.send(frame(number))
            return (right.receive(10) or b"")[:18] == frame(number)[:18]

        assert crosses(1)
        process = line.trace("-c", "1")
        assert crosses(2), "handed over while it is traced"
        (way,) = told(process)
        assert ("paint", 0) in elements(way)
        assert crosses(3)

        line.command("write", "-r", NAME, "paint.config", "4")
        assert Access(NAME).read("paint.color") == "4"
        assert crosses(5)
        line.load("--replace", "-e", ROUTER.replace("Paint(3)", "Paint(5)"))
        assert Access(NAME).read("paint.color") == "5"
        assert crosses(6)

        pin = Pins.of(NAME).link("eth0")
        away = pin.rename(pin.with_name("eth0+away"))
        for words in (("trace", NAME, "-c", "1"), ("write", "-r", NAME, "paint.config", "6")):
            done = commands.run(line.router, *words)
            assert (done.returncode, "the router's attachment to eth0 isn't there" in done.stderr) == (1, True), done.stderr
            assert crosses(7), "nothing was changed"
        away.rename(pin)
        assert len(told(after(line.trace("-c", "1"), lambda: crosses(8)))) == 1
    assert json.loads(line.command("drops", NAME, "--json"))["drops"] == []


def after(process: Popen, happens: Callable[[], bool]) -> Popen:
    assert happens()
    return process
