"""The program that sends the runtime's packets in batches (bpf/sending.bpf.c)."""

from collections.abc import Iterator
from contextlib import contextmanager

from clickbpf.compile import helper_object
from clickbpf.frozen import frozen
from clickbpf.load.kernel.objects import Object


@frozen
class Sending:
    """Descriptors of the program, and of the map with the batches."""

    program: int
    batches: int


@contextmanager
def sending(threads: int) -> Iterator[Sending]:
    """Load the program with a batch for each thread; the descriptors are closed after the context. BpfError if the kernel refuses it."""
    with Object(helper_object("sending").read_bytes(), "sending") as helper:
        helper.set_max_entries("batches", threads)
        helper.load()
        with helper.program("sending") as program, helper.map("batches") as batches:
            yield Sending(program.fd, batches.fd)
