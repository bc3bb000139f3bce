"""The base of FastClick's DPDK and netmap elements: arguments for drivers, which are the kernel's here."""

from collections.abc import Sequence
from types import SimpleNamespace

from clickbpf.declare import SAME, ArgError, Bool, Element, Keyword, PerThread, Raw, reset_handler, sum_handler, u64


def accepted(names: str, text: str = SAME) -> tuple[Keyword, ...]:
    """Keywords without effect, with a text about all of them, or with that of the argument before."""
    first, *others = names.split()
    return Keyword(first, Raw(), text=text), *(Keyword(name, Raw(), text=SAME) for name in others)


def refused(names: str) -> tuple[Keyword, ...]:
    """Booleans that must be false: work on packets that the device would have to do."""
    first, *others = names.split()
    text = "Boolean. Must be false, which is the default"
    return Keyword(first, Bool(), False, text), *(Keyword(name, Bool(), False, SAME) for name in others)


#: Arguments of all elements, of those that read a device, and of those that write to one.
COMMON = accepted("N_QUEUES MAXTHREADS VERBOSE ACTIVE ALLOW_NONEXISTENT", "Accepted, without effect. For tuning a driver, or for "
    "offloading work that elements do here")
READING = accepted("NUMA NUMA_NODE SCALE THREADOFFSET JUMBO")
WRITING = accepted("IQUEUE BLOCKING")
#: Work on received packets that the device would have to do.
RECEIVING = refused("VLAN_FILTER VLAN_STRIP VLAN_EXTEND LRO")


def refuse_work(cfg: SimpleNamespace, work: Sequence[Keyword]) -> None:
    """ArgError if the device should change packets, or if a single hardware queue is requested."""
    for argument in work:
        if getattr(cfg, argument.name.lower()):
            raise ArgError(f"{argument.name} isn't supported", "elements after it can do it", argument=argument.name)
    if cfg.queue > 0:
        raise ArgError("all queues of the device are used", "leave QUEUE out, with one element for the device", argument="QUEUE")


def without_driver(name: str) -> str:
    """The device's name without `netmap:`."""
    return name.removeprefix("netmap:")


class DrivenDevice(Element):
    """Handlers that count packets of a device."""

    state_types = {"counters": PerThread(count=u64)}

    count = sum_handler("counters")
    hw_count = sum_handler("counters", "count")
    reset_counts = reset_handler("counters")
