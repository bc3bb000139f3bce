"""Packets counted at every output of a loaded router, by kernel path and runtime."""

import os

import pytest
from tests.waiting import eventually, received

from clickbpf.compile import check_text
from clickbpf.load.access.access import Access
from clickbpf.observe.outputcounts import OutputCounter, rates
from clickbpf.testing.netns import Network
from clickbpf.testing.traffic import RawPort
from clickbpf.vocabulary.library import Library

from .test_trace import Line, changes, frame, told

pytestmark = [pytest.mark.needs("root", "clang-19", "ip", "ethtool"), pytest.mark.whole]

NAME = f"count{os.getpid()}"
#: Frames of one type are copied and forwarded in the kernel, those of another are queued in the runtime, those of a third dropped.
ROUTER = """
in :: FromDevice(eth0) -> kind :: Classifier(12/88b5, 12/88b6, -);
kind[0] -> paint :: Paint(3) -> tee :: Tee -> q :: Queue -> ToDevice(eth1); tee[1] -> Discard;
kind[1] -> null :: Null -> slow :: Queue -> pull :: Unqueue -> last :: Null -> Discard;
kind[2] -> Discard;
FromDevice(eth1) -> Discard;
"""
FIRST = check_text(ROUTER, Library.standard()).first_outputs
#: After four frames of each type and another one of the first.
COUNTS = {("in", 0): 13, ("kind", 0): 5, ("kind", 1): 4, ("kind", 2): 4, ("paint", 0): 5, ("tee", 0): 5, ("tee", 1): 5, ("q", 0): 5}
COUNTS |= dict.fromkeys([("null", 0), ("slow", 0), ("pull", 0), ("last", 0)], 4)


def test_every_output_is_counted_and_counts_give_way():
    """They end for other arguments and for traces, and begin again; afterwards the devices have the plain programs."""
    with Network() as net:
        line = Line(net, name=NAME)
        line.load("-e", ROUTER)
        plain = line.programs()
        with RawPort(line.left, "eth0") as left, RawPort(line.right, "eth0") as right, Access(NAME) as access:
            counter = OutputCounter(NAME)
            before = eventually(lambda: counter.newest)
            for number, kind in enumerate((b"\x88\xb5", b"\x88\xb6", b"\x88\xb7") * 4 + (b"\x88\xb5",)):
                left.send(frame(number, kind))
            assert len(received(right, lambda found: len(found) >= 5)) == 5
            assert eventually(lambda: sum(counter.newest.packets) >= sum(COUNTS.values()))
            now = counter.newest
            assert {place: now.packets[FIRST[place[0]] + place[1]] for place in COUNTS} == COUNTS
            assert rates(before, now)[FIRST["in"]] > rates(before, now)[FIRST["kind"]] > 0
            counter.close()
            assert line.programs() == plain

            counter = OutputCounter(NAME)
            assert eventually(lambda: counter.newest)
            access.write("paint.config", "4")
            trace = line.trace("-c", "1")
            left.send(frame(1))
            assert changes(*told(trace))["paint"] == ["paint 0 -> 4"]
            assert eventually(lambda: counter.newest and not any(counter.newest.packets))
            left.send(frame(2))
            assert eventually(lambda: counter.newest.packets[FIRST["paint"]] == 1)
            counter.close()
        line.command("unload", NAME)
