"""What FastClick's elements of DPDK's and netmap's devices have in common: arguments about how a device is driven, which the kernel
does here."""

from collections.abc import Sequence
from types import SimpleNamespace

from clickbpf.declare import ArgError, Bool, Element, Keyword, PerThread, Raw, reset_handler, sum_handler, u64


def accepted(names: str) -> tuple[Keyword, ...]:
    """Keywords of no effect."""
    return tuple(Keyword(name, Raw()) for name in names.split())


def refused(names: str) -> tuple[Keyword, ...]:
    """Booleans that have to be false: a device would have to do that with packets."""
    return tuple(Keyword(name, Bool(), False) for name in names.split())


#: Of all, of those that read a device, and of those that write to one.
COMMON = accepted("N_QUEUES MAXTHREADS VERBOSE ACTIVE ALLOW_NONEXISTENT")
READING = accepted("NUMA NUMA_NODE SCALE THREADOFFSET JUMBO")
WRITING = accepted("IQUEUE BLOCKING")
#: What a device would have to do with the packets that it receives.
RECEIVING = refused("VLAN_FILTER VLAN_STRIP VLAN_EXTEND LRO")


def refuse_work(cfg: SimpleNamespace, work: Sequence[Keyword]) -> None:
    """ArgError if the device is to change packets, or to give those of one hardware queue only."""
    for argument in work:
        if getattr(cfg, argument.name.lower()):
            raise ArgError(f"{argument.name} isn't supported", "elements after it can do it", argument=argument.name)
    if cfg.queue > 0:
        raise ArgError("all queues of the device are used", "leave QUEUE out, with one element for the device", argument="QUEUE")


def without_driver(name: str) -> str:
    """The device that netmap calls `netmap:DEVICE`."""
    return name.removeprefix("netmap:")


class DrivenDevice(Element):
    """What counts packets of a device."""

    state_types = {"counters": PerThread(count=u64)}

    count = sum_handler("counters")
    hw_count = sum_handler("counters", "count")
    reset_counts = reset_handler("counters")
