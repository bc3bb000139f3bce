"""Every frame that a router gets arrives, or is counted: by each crossing, whatever becomes of the devices, of their other ends, of the
runtime and of the router."""

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from tests.attached import compiled, running
from tests.bench.swaps import Traffic, refused
from tests.load.devices.test_refused import THROUGH
from tests.waiting import eventually

from clickbpf.compile import Compilation
from clickbpf.crossings import AF_XDP, RING
from clickbpf.load.devices.links import attach_xdp
from clickbpf.load.kernel.fds import BPF_PROG_TYPE_XDP, Program
from clickbpf.load.life.inplace import Attached
from clickbpf.testing.netns import Namespace

#: Frames of each shape, and frames a second: more than a router can process. $CLICKBPF_FRAMES=10000000 takes minutes.
MANY, RATE = int(os.environ.get("CLICKBPF_FRAMES", "20000")), 4_000_000

pytestmark = [pytest.mark.needs("root", "ip", "ethtool", "clang-19"), pytest.mark.whole, pytest.mark.timeout(300 + MANY / 10_000)]


class Scene:
    """A router under a flood, and the account of its frames."""

    def __init__(self, attached: Attached, router: Namespace, source: Namespace, sink: Namespace, traffic: Traffic):
        self.attached, self.router, self.source, self.sink, self.traffic = attached, router, source, sink, traffic
        self.others: list[Compilation] = []
        self.before = 0

    def arrived(self) -> int:
        """What the far end has taken, by its program or as Linux."""
        (link,) = json.loads(self.sink.ip("-j", "-s", "link", "show", "dev", "eth0"))
        return link["stats64"]["rx"]["packets"]

    def unknown(self) -> int:
        """Frames of which nothing is known."""
        runtime = self.attached.runtime
        lost = sum(sum(runtime.drops(name).values()) for name in runtime.instances)
        return self.traffic.sent - self.arrived() - lost - refused((self.source, "eth0")) - self.before

    def flood(self) -> None:
        """Until so many frames were sent, and none is on its way."""
        until = self.traffic.sent + MANY
        self.traffic.pause(False)
        assert eventually(lambda: self.traffic.sent >= until, 60 + MANY / 20_000)
        self.pause()

    def pause(self) -> None:
        self.traffic.pause(True)
        eventually(lambda: self.unknown() == 0, 3)  # others wait for a device

    # Shapes. None changes an end of a cable in which frames are: veth frees these, uncounted.

    @contextmanager
    def all_is_well(self) -> Iterator[None]:
        yield

    @contextmanager
    def the_runtime_stands_still(self) -> Iterator[None]:
        """For the first of the frames."""
        with self.attached.runtime.locked():
            before = self.traffic.sent
            self.traffic.pause(False)
            assert eventually(lambda: self.traffic.sent > before + MANY // 2, 60 + MANY / 20_000)
        yield

    @contextmanager
    def the_far_end_is_down(self) -> Iterator[None]:
        self.sink.ip("link", "set", "eth0", "down")
        yield
        self.sink.ip("link", "set", "eth0", "up")

    @contextmanager
    def the_device_is_down(self) -> Iterator[None]:
        self.router.ip("link", "set", "eth1", "down")
        yield
        self.router.ip("link", "set", "eth1", "up")

    @contextmanager
    def the_far_end_loses_its_program(self) -> Iterator[None]:
        """Linux takes the frames."""
        self.sink.ip("link", "set", "eth0", "xdp", "off")
        yield
        self.traffic.plug_in()

    @contextmanager
    def the_far_end_takes_no_frames(self) -> Iterator[None]:
        self.sink.offload("eth0", gro=False)
        with self.the_far_end_loses_its_program():
            yield
        self.sink.offload("eth0", gro=True)

    @contextmanager
    def others_attach_programs(self) -> Iterator[None]:
        """To another device: the kernel's dispatcher is locked for that."""
        self.traffic.pause(False)
        with Program.passing(BPF_PROG_TYPE_XDP) as program:
            for _ in range(5):
                self.router.call(attach_xdp, program, self.router.ifindex("eth2"), "native").close()
        yield

    @contextmanager
    def another_router_comes(self) -> Iterator[None]:
        self.traffic.pause(False)
        old = self.attached.runtime
        self.router.call(self.attached.replace, self.others.pop())
        old.close()
        yield

    @contextmanager
    def another_router_comes_while_all_is_refused(self) -> Iterator[None]:
        with self.the_far_end_is_down(), self.another_router_comes():
            yield

    @contextmanager
    def the_far_end_is_removed(self) -> Iterator[None]:
        """And with it the device. What has arrived is what had arrived."""
        arrived = self.arrived()
        self.sink.ip("link", "delete", "eth0")
        self.arrived = lambda: arrived
        yield


SHAPES = (
    *(Scene.all_is_well, Scene.the_runtime_stands_still, Scene.the_far_end_is_down, Scene.the_device_is_down),
    *(Scene.the_far_end_loses_its_program, Scene.the_far_end_takes_no_frames, Scene.others_attach_programs, Scene.another_router_comes),
    *(Scene.another_router_comes_while_all_is_refused, Scene.the_far_end_is_removed),
)


@pytest.mark.parametrize("crossing", ["kernel", AF_XDP, RING])
def test_every_frame_arrives_or_is_counted(net, crossing):
    router, source, sink = (net.namespace(label) for label in ("router", "source", "sink"))
    for number, host in enumerate((source, sink, sink)):
        net.veth(router, f"eth{number}", host, "eth0" if number < 2 else "eth9")
        for namespace in (router, host):
            namespace.sysctl("net.ipv6.conf.all.disable_ipv6", "1")  # it would send frames of its own
    made, other = (compiled(text, kernel=crossing == "kernel") for text in (THROUGH, THROUGH.replace("c ::", "Null -> c ::")))
    with ExitStack() as undo:
        attached = undo.enter_context(running(router, made, crossing=RING if crossing == RING else AF_XDP))
        traffic = Traffic(source, sink, RATE, undo)
        scene = Scene(attached, router, source, sink, traffic)
        scene.others = [made, other]
        scene.before = scene.unknown()
        traffic.pause(True)
        traffic.start()
        undo.callback(traffic.stop)
        for shape in SHAPES:
            with shape(scene):
                scene.flood()
            eventually(lambda: scene.unknown() == 0, 10)
            assert (shape.__name__, scene.unknown()) == (shape.__name__, 0)
        assert (attached.runtime.sending_counts()["frames"] > 0) == (crossing == RING)
