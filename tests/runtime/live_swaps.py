"""Routers that take each other's place on AF_XDP sockets under traffic; test_memory.py runs this under the thread sanitizer."""

import os
from functools import partial

from tests.waiting import eventually

from clickbpf.compile import Compilation, check_text
from clickbpf.crossings import CHOICES
from clickbpf.load.devices.devices import resolve
from clickbpf.load.life.inplace import Attached
from clickbpf.load.life.loader import Request
from clickbpf.load.path import hosting
from clickbpf.plan import Options
from clickbpf.runtime.host import Runtime
from clickbpf.testing.netns import Network
from clickbpf.vocabulary.library import Library

#: All in user space: every frame wakes a thread of the runtime, and another one takes it from there.
TEXT = """
FromDevice(eth0) -> c0 :: Counter -> q0 :: Queue -> t1 :: ToDevice(eth1);
FromDevice(eth1) -> c1 :: Counter -> q1 :: Queue -> t0 :: ToDevice(eth0);
StaticThreadSched(t0 0, t1 1);
"""
SWAPS = 12


def swaps() -> None:
    """Swaps while frames pass: before the first and after the last one, too."""
    library = Library.standard()
    hosting.Runtime = partial(Runtime, sanitize=os.environ.get("CLICKBPF_SANITIZE"))
    plan = Options(kernel=False)
    made = [Compilation(check_text(text, library), plan) for text in (TEXT, TEXT.replace("c0 ::", "n :: Null -> c0 ::"))]
    with Attached(request, 2) as attached:
        attached.run(made[0])
        before = eventually(lambda: frames(attached))
        for number in range(SWAPS):
            old = attached.runtime
            attached.replace(made[(number + 1) % 2])
            old.close()
        assert eventually(lambda: frames(attached) > before)


def frames(attached: Attached) -> int:
    return int(attached.runtime.handlers.read("c0", "count"))


def request(made: Compilation) -> Request:
    crossing = CHOICES["n" in made.checked.instances]
    content = made.build_bpf().read_bytes()
    return Request("live", content, made.manifest, resolve(made.plan.devices), start=None, crossing=crossing, threads=2)


def test_live_swaps():
    with Network() as net:
        router = net.namespace("router")
        for number in (0, 1):
            host = net.namespace(f"host{number}")
            net.veth(router, f"eth{number}", host, "eth0")
            host.address("eth0", f"10.0.0.{number + 1}/24")
            host.popen("ping", "-q", "-i0.0005", f"10.0.0.{2 - number}", stdout=-3)
        router.call(swaps)
