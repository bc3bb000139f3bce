"""What FromDPDKDevice and ToDPDKDevice have in common: FastClick's arguments about how DPDK drives a device, which the kernel does
here."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

from clickbpf.args import Bool, Keyword, Raw
from clickbpf.args.error import ArgError
from clickbpf.vocabulary.element import Element, sum_handler, write_handler
from clickbpf.vocabulary.state import PerThread, u64


def accepted(names: str) -> tuple[Keyword, ...]:
    """Keywords of no effect."""
    return tuple(Keyword(name, Raw()) for name in names.split())


def refused(names: str) -> tuple[Keyword, ...]:
    """Booleans that have to be false: a device would have to do that with packets."""
    return tuple(Keyword(name, Bool(), False) for name in names.split())


#: Of both.
COMMON = accepted("N_QUEUES MAXTHREADS VERBOSE ACTIVE BURST NDESC MAXQUEUES ALLOW_NONEXISTENT")


def refuse_offloads(cfg: SimpleNamespace, offloads: Sequence[Keyword], hint: str) -> None:
    """ArgError if one of them is wanted, or a single hardware queue."""
    for argument in offloads:
        if getattr(cfg, argument.name.lower()):
            raise ArgError(f"{argument.name} isn't supported", hint, argument=argument.name)
    if cfg.queue > 0:
        raise ArgError("all queues of the device are used", "leave QUEUE out, with one element for the device", argument="QUEUE")


class DPDKDevice(Element):
    """What counts packets of a device."""

    state_types = {"counters": PerThread(count=u64)}

    count = sum_handler("counters")
    hw_count = sum_handler("counters", "count")

    @write_handler
    def reset_counts(self, text: str) -> None:
        self.state.counters.clear()
