"""What security rests on, in routers that are killed, resumed and replaced: sequence numbers go on, and what was refused stays refused."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from scapy.layers.inet import IP, UDP
from tests.elements.ipsec.test_esp import esp
from tests.elements.ipsec.test_radixipseclookup import CIPHER, DIGEST

from clickbpf.load.files.places import RunFolder
from clickbpf.load.process.service import alive
from clickbpf.testing.netns import Namespace
from clickbpf.testing.traffic import RawPort

from .conftest import OWN, environment, execute, kill

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "clang-19")

#: What comes from eth0 gets numbers, by a table's association or by an element's own; what comes from eth1 is checked for replays.
TEXT = f"""
    rt :: RadixIPsecLookup(10.1.0.0/16 2, 10.8.0.0/24 18.26.4.1 1 234 {CIPHER} {DIGEST} 300 64);
    in0 :: FromDevice(eth0) -> is :: Classifier(12/88b5, 12/0800, -); is[2] -> Discard;
    is[0] -> own :: IPsecESPEncap(7, 16) -> IPsecAES(1, {CIPHER}, 0, BLOCK 16) -> IPsecAuthHMACSHA1(0, {DIGEST}) -> out :: Queue;
    is[1] -> Strip(14) -> CheckIPHeader -> GetIPAddress(16) -> rt; Idle -> rt;
    rt[0] -> Discard; rt[1] -> tabled :: IPsecESPEncap -> out; rt[2] -> Discard;
    out -> EtherEncap(0x88b6, 2:0:0:0:0:1, 2:0:0:0:0:2) -> ToDevice(eth1);
    in1 :: FromDevice(eth1) -> ours :: Classifier(12/88b5, -); ours[1] -> Discard; ours[0] -> Strip(14)
        -> taken :: IPsecESPUnencap(SPI 0x1001) -> EtherEncap(0x88b6, 2:0:0:0:0:3, 2:0:0:0:0:4) -> Queue -> ToDevice(eth0);
"""
ETHER = bytes(12) + b"\x88\xb5"
ROUTED = bytes(12) + b"\x08\x00" + bytes(IP(src="10.0.0.1", dst="10.8.0.1") / UDP() / bytes(40))


def answers(port: RawPort) -> Iterator[bytes]:
    """What the router sends, without the Ethernet header."""
    while frame := port.receive(10):
        if frame[12:14] == b"\x88\xb6":
            yield frame[14:]


class Ends:
    def __init__(self, left: RawPort, right: RawPort):
        self.left, self.right = left, right

    def number(self, frame: bytes) -> int:
        """The sequence number that the router gives a packet."""
        self.left.send(frame)
        return int.from_bytes(next(answers(self.right))[4:8], "big")

    def passed(self, *numbers: int) -> set[int]:
        """Which of the sequence numbers, before one that is new and passes, the router lets pass."""
        for number in numbers:
            self.right.send(ETHER + esp(number, number.to_bytes(60, "big")))
        found = set()
        for packet in answers(self.left):
            found.add(int.from_bytes(packet[:60], "big"))
            if numbers[-1] in found:
                break
        return found


#: A command that fails when the new router has taken the old one's place, and a line of input has come.
IN_VAIN = """
import sys
from clickbpf.cli.main import main
from clickbpf.errors import ClickError
from clickbpf.load.life import replace

def refuse(*_):
    print("replaced", flush=True)
    sys.stdin.readline()
    raise ClickError("refused by the test")

replace.write_record = refuse
sys.exit(main(sys.argv[1:]))
"""


@contextmanager
def in_vain(router: Namespace, *words: str) -> Iterator[None]:
    """Within this context the router has been replaced by a command, which undoes that then."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with router.popen(sys.executable, "-c", IN_VAIN, *words, env=environment(), **pipes) as command:
        assert command.stdout.readline() == "replaced\n"
        yield
        assert "refused by the test" in command.communicate("\n", timeout=60)[1] and command.returncode == 1


@pytest.fixture
def ends(net, router) -> Iterator[Ends]:
    with RawPort(net.namespaces[1], "eth0") as left, RawPort(net.namespaces[2], "eth0") as right:
        yield Ends(left, right)


@pytest.mark.parametrize("options", [(), pytest.param(("--no-kernel",), marks=pytest.mark.whole)], ids=["kernel", "no-kernel"])
def test_numbers_go_on(router, ends, options):
    name = f"{OWN}outliving{len(options)}"

    def does(*words: str) -> None:
        done = execute(router, *words)
        assert done.status == 0, done.err

    def load(*more: str) -> Callable[[], None]:
        return lambda: does("load", "-n", name, *options, *more, "-e", TEXT)

    def end_and(action: Callable[[], None]) -> Callable[[], None]:
        def act() -> None:
            kill(alive(RunFolder.of(name)))
            action()

        return act

    events = {
        "resumed": end_and(load("--resume")),
        "killed and replaced": end_and(load("--replace")),
        "replaced": load("--replace"),
        "started again": end_and(lambda: does("load", "--runtime-only", name)),
    }
    load()()
    assert [ends.number(frame) for frame in (ETHER + bytes(60), ROUTED) * 2] == [1, 300, 2, 301]
    assert ends.passed(3, 5, 3, 6) == {3, 5, 6}
    for turn, (event, happen) in enumerate(events.items()):
        happen()
        assert [ends.number(frame) for frame in (ETHER + bytes(60), ROUTED)] == [3 + turn, 302 + turn], event
        assert ends.passed(3, 5, 6, 6 + turn, 7 + turn) == {7 + turn}, event
    kill(alive(RunFolder.of(name)))
    with in_vain(router, "load", "-n", name, *options, "--replace", "-e", TEXT):
        assert [ends.number(frame) for frame in (ETHER + bytes(60), ROUTED)] == [7, 306]
        assert ends.passed(11, 12) == {11, 12}
    load("--resume")()
    assert [ends.number(frame) for frame in (ETHER + bytes(60), ROUTED)] == [8, 307], "of a router that took the place in vain"
    assert ends.passed(11, 12, 13) == {13}
    assert execute(router, "unload", name).status == 0
