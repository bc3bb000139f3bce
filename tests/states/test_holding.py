"""Each event in the life of a loaded router, and each thing that it holds: what its class declares to be kept is there afterwards, and
packets of the others are counted, unless their process was killed. What no handler shows, such as keys, has tests of its own."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from types import SimpleNamespace

import pytest
from tests.states.events import EVENTS, Router, clickbpf
from tests.states.learnt import LEARNT, Learnt, udp
from tests.states.line import Line
from tests.states.test_declared import CLASSES
from tests.waiting import eventually

from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.runtime.client import ControlClient
from clickbpf.testing.netns import Network
from clickbpf.testing.traffic import RawPort
from clickbpf.vocabulary.held import ANEW, COUNTED, KEPT, LOST

pytestmark = [pytest.mark.needs("root", "ip", "ethtool", "clang-19"), pytest.mark.whole]

WAITING = {
    **{name: Learnt(f"FromDevice(eth0) -> x :: {name}(200) -> Unqueue(ACTIVE false) -> Discard;", "length", [udp()] * 5)
       for name in ("Queue", "FrontDropQueue", "SimpleQueue")},
    "MixedQueue": Learnt(
        "FromDevice(eth0) -> x :: MixedQueue(200) -> Unqueue(ACTIVE false) -> Discard; Idle -> [1]x;", "length", [udp()] * 5
    ),
    "Pipeliner": Learnt("FromDevice(eth0) -> x :: Pipeliner(ACTIVE false, DIRECT_TRAVERSAL false) -> Discard;", "count", [udp()] * 5),
}  # fmt: skip
SCENES = {**LEARNT, **WAITING}
#: What an event is to what elements hold: a swap; the death of the runtime, by itself or by a signal; or the end of all of it.
SWAP, DEATH, DEATH_AND_SWAP, STOP, END, NOTHING = "swap", "death", "death, then swap", "stop", "end", "nothing"
EFFECTS = {
    **dict.fromkeys((Router.swap, Router.swap_for_another, Router.swap_while_traced), SWAP),
    **dict.fromkeys((Router.device_is_deleted_and_router_replaced, Router.swap_while_all_is_refused), SWAP),
    **dict.fromkeys((Router.kill_and_resume, Router.kill_and_start_the_runtime, Router.kill_while_packets_wait), DEATH),
    **dict.fromkeys((Router.stop_and_resume,), STOP),
    **dict.fromkeys((Router.kill_and_replace, Router.unload_and_load), END),
    **dict.fromkeys((Router.other_arguments, Router.trace, Router.is_looked_at, Router.runtime_stands_still), NOTHING),
    Router.device_goes_down: NOTHING,
    Router.device_is_deleted: SWAP,  # a router that comes to new devices takes its own place
    Router.device_is_deleted_and_runtime_killed: DEATH_AND_SWAP,
}
#: The first is one of two others, by chance; after the second another router is loaded in another namespace.
BY_THEMSELVES = {Router.kill_while_it_is_replaced, Router.namespace_is_deleted}


ARGUMENTS = ", ".join([*(f"11/{number:02x}" for number in range(len(SCENES))), "-"])


def text() -> str:
    """One router with all scenes, each behind an output of its own."""
    parts = [f"FromDevice(eth0) -> s :: Classifier({ARGUMENTS}); s[{len(SCENES)}] -> Discard; FromDevice(eth1) -> Discard;"]
    for number, scene in enumerate(SCENES.values()):
        parts.append(f"s[{number}] -> s{number} :: {{ {scene.text.replace('FromDevice(eth0)', 'input')} }};")
    return "\n".join(parts)


class Holder:
    """The router, at the first place of the line that isn't a host's."""

    def __init__(self, line: Line):
        self.line = line
        now, later = text(), text().replace("-> s ::", "-> Null -> s ::")
        self.router = Router(f"holding{os.getpid()}", line, 1, (), now, later, (ARGUMENTS, ARGUMENTS.replace("11/00", "11/00 14/00%00")))
        self.router.account = SimpleNamespace(routers=(self.router,), stopped=nullcontext)

    def shown(self) -> dict[str, str]:
        with ControlClient(RunFolder.of(self.router.name).control) as client:
            return {name: client.read(f"s{number}/x.{scene.shown}") for number, (name, scene) in enumerate(SCENES.items())}

    def fill(self) -> None:
        with RawPort(self.line.at[0], "eth0") as port, ControlClient(RunFolder.of(self.router.name).control) as client:
            for number, scene in enumerate(SCENES.values()):
                for each in scene.frames:
                    port.send(each[:11] + bytes([number]) + each[12:])
                for handler, value in scene.writes:
                    client.write(f"s{number}/x.{handler}", value)

    @contextmanager
    def traffic(self) -> Iterator[None]:
        """Frames that nobody holds."""
        ended = threading.Event()

        def send() -> None:
            with RawPort(self.line.at[0], "eth0") as port:
                while not ended.wait(0.05):
                    port.send(b"\xff" * 60)

        thread = threading.Thread(target=send)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def in_kernel(self, name: str) -> bool:
        """Whether the element's state is in maps, which outlive the runtime."""
        return any((Pins.of(self.router.name).root / "elements" / f"s{list(SCENES).index(name)}" / "x").glob("*"))


@pytest.fixture
def holder() -> Iterator[Holder]:
    with Network() as net:
        made = Holder(Line(net))
        made.router.load()
        try:
            yield made
        finally:
            clickbpf(None, "unload", made.router.name, check=False)


def test_all_events_are_tried():
    assert {*EFFECTS, *BY_THEMSELVES} == {*EVENTS}


def fate(name: str, effect: str, in_kernel: bool) -> str:
    """What has to become of what is held by the scene's element."""
    (held,) = [each for each in CLASSES[name].holds if (each.death == LOST) == (name in WAITING)]
    if effect == NOTHING:
        return KEPT
    if effect == DEATH_AND_SWAP:
        return held.swap if fate(name, DEATH, in_kernel) == KEPT else fate(name, DEATH, in_kernel)
    if effect == SWAP:
        return held.swap
    if effect == END:
        return LOST if name in WAITING else ANEW
    if name in WAITING:
        return COUNTED if effect == STOP else LOST
    return held.death if in_kernel else ANEW


@pytest.mark.parametrize("event", EFFECTS, ids=lambda event: event.__name__)
def test_what_becomes_of_all_that_is_held(holder: Holder, event) -> None:
    fresh = holder.shown()
    holder.fill()
    assert eventually(lambda: not holder.shown().items() & fresh.items()), holder.shown().items() & fresh.items()
    before = holder.shown()
    expected = {name: fate(name, EFFECTS[event], holder.in_kernel(name)) for name in SCENES}
    with holder.traffic():
        event(holder.router)
    after = holder.shown()
    found = {name: KEPT if after[name] == before[name] else ANEW if after[name] == fresh[name] else after[name] for name in SCENES}
    assert found == {name: KEPT if what == KEPT else ANEW for name, what in expected.items()}
    drops = [each for each in holder.router.listed_drops() if each["reason"] == "ENDED" and each["element"].endswith("/x")]
    ended = {each["element"]: each["count"] for each in drops}
    assert ended == {f"s{number}/x": 5 for number, name in enumerate(SCENES) if expected[name] == COUNTED}
