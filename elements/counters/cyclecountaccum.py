from clickbpf.declare import BEARS_OFFLOADS, PASSES, Element, PerThread, reset_handler, sum_handler, u64

from ._cycles import CYCLES


class CycleCountAccum(Element, traits=BEARS_OFFLOADS | PASSES):
    __doc__ = f"""adds up the cycles since packets passed a SetCycleCount

    {CYCLES} The runtime reports its first packet without a cycle count on standard error.

    Example: FromDevice(eth0) -> SetCycleCount -> Queue -> Unqueue -> c :: CycleCountAccum -> Discard;
    """

    annotations = ("PERFCTR",)
    state_types = {"counters": PerThread(count=u64, cycles=u64, zero_count=u64)}

    count = sum_handler("counters", text="packets with a cycle count")
    cycles = sum_handler("counters", text="total cycles since these packets passed SetCycleCount")
    zero_count = sum_handler("counters", text="packets without a cycle count")
    reset_counts = reset_handler("counters", text="sets all three to 0.")
