"""The programs that send the runtime's packets in batches (bpf/sending.bpf.c)."""

from collections.abc import Iterator
from contextlib import contextmanager

from clickbpf.compile import helper_object
from clickbpf.frozen import frozen
from clickbpf.load.devices.links import attach_tracepoint
from clickbpf.load.kernel.objects import Object


@frozen
class Sending:
    """Descriptors of the program that makes packets, of the map with the batches, and of the link by which refusals are counted."""

    program: int
    batches: int
    refusals: int


@contextmanager
def sending(threads: int) -> Iterator[Sending]:
    """Load the programs with a batch for each thread; the descriptors are closed after the context. BpfError if the kernel refuses."""
    with Object(helper_object("sending").read_bytes(), "sending") as helper:
        helper.set_max_entries("batches", threads)
        helper.load()
        with (
            helper.program("sending") as program,
            helper.map("batches") as batches,
            helper.program("refused") as counting,
            attach_tracepoint(counting) as refusals,
        ):
            yield Sending(program.fd, batches.fd, refusals.fd)
