"""What sends the runtime's packets in batches (bpf/sending.bpf.c): programs, maps, and a tap device by which the runtime has them run.

The device is gone when the last of its descriptors is closed, and Linux sends nothing by it.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from clickbpf import tun
from clickbpf.compile import helper_object
from clickbpf.errors import ClickError
from clickbpf.load.devices.devices import SENDER
from clickbpf.load.devices.links import attach_tracepoint, attach_xdp
from clickbpf.load.devices.pair import explained_netlink
from clickbpf.load.kernel import rtnetlink
from clickbpf.load.kernel.objects import Object


@contextmanager
def sending(threads: int) -> Iterator[tuple[int, ...]]:
    """Load the programs with a batch for each thread, and make the device in this thread's network namespace. The descriptors, in the order
    of enum sending_file (userspace/runtime.h), are closed after the context. BpfError or ClickError if the kernel refuses."""
    with ExitStack() as opened:
        helper = opened.enter_context(Object(helper_object("sending").read_bytes(), "sending"))
        helper.set_max_entries("batches", threads)
        helper.load()
        volley, filling, counting = (opened.enter_context(helper.program(name)) for name in ("volley", "sending", "refused"))
        volleys, batches = (opened.enter_context(helper.map(name)) for name in ("volleys", "batches"))
        refusals = opened.enter_context(attach_tracepoint(counting))
        tap, name = _opened()
        opened.callback(os.close, tap)
        entrance = opened.enter_context(attach_xdp(volley, _up(name), "native"))
        yield tap, *(each.fd for each in (entrance, volleys, filling, batches, refusals))


def _opened() -> tuple[int, str]:
    try:
        return tun.open_device(f"{SENDER}%d", tap=True)
    except OSError as error:
        raise ClickError(f"packets can't be sent by a ring: {tun.DEVICE}: {error.strerror}", hint=tun.CURES.get(error.errno)) from None


def _up(name: str) -> int:
    """Bring a tap device up; returns its index."""
    with explained_netlink("the device by which packets are sent can't be brought up"), rtnetlink.IPRoute() as netlink:
        (index,) = netlink.link_lookup(ifname=name)
        netlink.link("set", index=index, state="up", **rtnetlink.without_addresses())
    return index
