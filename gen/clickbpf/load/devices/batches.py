"""The program by which the runtime sends in batches (bpf/sending.bpf.c), attached to an idle device.

That is a tap device, never up and without packets. It is there until the last descriptor of it is closed: when the runtime's process
ends, however it ends, nothing is left.
"""

import fcntl
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from clickbpf.compile import sending_object
from clickbpf.frozen import frozen
from clickbpf.load.devices.links import attach_until_gone
from clickbpf.load.kernel.objects import Object

NODE = Path("/dev/net/tun")
#: The kernel puts a number in the place of %d.
NAMES = b"clickbpf%d"
#: <linux/if_tun.h>: TUNSETIFF, and a struct ifreq with a device of Ethernet frames, without a header of tun's own.
TUNSETIFF, IFREQ = 0x400454CA, "16sH22x"
IFF_TAP, IFF_NO_PI = 0x0002, 0x1000


@frozen
class Sending:
    """Descriptors: of the program, of its maps (batches; devices), and of the idle device."""

    program: int
    batches: int
    ways: int
    idle: int


@contextmanager
def sending(threads: int) -> Iterator[Sending]:
    """The program with a batch for each thread, in this thread's network namespace; the descriptors are closed at the end. OSError or
    BpfError if it can't be made."""
    with ExitStack() as opened, Object(sending_object().read_bytes(), "sending") as helper:
        helper.set_max_entries("batches", threads)
        helper.load()
        program = opened.enter_context(helper.program("sending"))
        batches, ways = (opened.enter_context(helper.map(name)) for name in ("batches", "ways"))
        idle, index = _make_idle()
        opened.callback(os.close, idle)
        attach_until_gone(program, index)
        yield Sending(program.fd, batches.fd, ways.fd, idle)


def _make_idle() -> tuple[int, int]:
    """A descriptor and the ifindex of a new tap device."""
    fd = os.open(NODE, os.O_RDWR | os.O_CLOEXEC)
    try:
        made = fcntl.ioctl(fd, TUNSETIFF, struct.pack(IFREQ, NAMES, IFF_TAP | IFF_NO_PI))
        return fd, socket.if_nametoindex(struct.unpack(IFREQ, made)[0].rstrip(b"\0").decode())
    except OSError:
        os.close(fd)
        raise
