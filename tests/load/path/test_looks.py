"""What elements of a loaded router print of packets that stay in the kernel."""

import os
import re
import time
from collections.abc import Iterator

import pytest
from tests.axes import axis
from tests.load.change.test_trace import Line
from tests.load.flooding import numbered
from tests.waiting import eventually

from clickbpf.load.files.places import RunFolder
from clickbpf.testing.netns import Network
from clickbpf.testing.traffic import RawPort

pytestmark = pytest.mark.needs("root", "clang-19", "ip", "ethtool", "tc")

NAME = f"looks{os.getpid()}"
CABLE = "FromDevice(eth0) -> shown :: Print(see, 18) -> {} -> Queue -> ToDevice(eth1); FromDevice(eth1) -> Queue -> ToDevice(eth0);"
ETHERTYPE = b"\x88\xb5"  # for experiments (IEEE 802)


def seen() -> list[int]:
    """The numbers of the frames that were printed, in the log's order."""
    log = RunFolder.of(NAME).log
    texts = [path.read_text() for path in (log.with_name("log.1"), log) if path.exists()]
    return [int(number, 16) for number in re.findall(r"see:   60 \| \w{8} \w{8} \w{8} 88b5(\w{4}) \w{4,6}$", "".join(texts), re.M)]


def frame(number: int) -> bytes:
    return b"\x02\0\0\0\0\x99\x02\0\0\0\0\x02" + ETHERTYPE + number.to_bytes(2, "big") + bytes(44)


def numbers(port: RawPort) -> list[int]:
    """Of all frames that arrive until it is quiet."""
    return [int.from_bytes(data[14:16], "big") for data in iter(lambda: port.receive(2), None) if data[12:14] == ETHERTYPE]


@pytest.fixture(params=axis("xdp", "tc"))
def line(request, net: Network) -> Iterator[Line]:
    made = Line(net, "--hook", request.param, name=NAME)
    yield made
    made.command("unload", NAME)


@pytest.mark.whole
def test_all_is_printed_once_and_in_order_while_routers_change(line: Line) -> None:
    """Frames cross the router all the time, and others take its place."""
    line.load("-e", CABLE.format("c :: Counter"))
    with RawPort(line.left, "eth0") as left, RawPort(line.right, "eth0") as right:
        with numbered(left, frame):
            line.load("--replace", "-e", CABLE.format("c :: Counter -> Paint(3)"))
            line.command("write", "-r", NAME, "shown.config", "see, 19")
            line.load("--replace", "-e", CABLE.format("c :: Counter -> Paint(4)"))
        arrived = numbers(right)
    assert len(arrived) > 100
    assert eventually(lambda: len(seen()) >= len(arrived))
    printed = seen()
    assert sorted(printed) == arrived
    assert printed == arrived or "tc" in line.options, "on TC what the one router saw last may be printed after what the next one saw first"
    assert "MISSED_LOOK" not in line.command("drops", NAME)


def test_it_is_printed_soon_and_the_packets_are_not_the_runtimes(line: Line) -> None:
    """Of a runtime that sleeps and of one that is awake. No packet is handed over: the element after it never sees one in the runtime."""
    line.load("-e", CABLE.format("p :: Paint(1)"))
    with RawPort(line.left, "eth0") as left, RawPort(line.right, "eth0") as right:
        for number in range(20):
            left.send(frame(number))
            assert eventually(lambda number=number: seen() == list(range(number + 1)))
            if number % 5 == 0:
                time.sleep(0.1)  # long enough for the runtime to fall asleep
        assert numbers(right) == list(range(20))
