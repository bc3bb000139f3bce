from clickbpf.declare import BEARS_OFFLOADS, PASSES, Element, PerThread, reset_handler, sum_handler, u64

from ._cycles import CYCLES


class CycleCountAccum(Element, traits=BEARS_OFFLOADS | PASSES):
    __doc__ = f"""adds up the cycles since packets passed a SetCycleCount

    {CYCLES} The first packet without a count of cycles that comes to the runtime is reported on standard error.

    Example:

        FromDevice(eth0) -> SetCycleCount -> Queue -> Unqueue -> c :: CycleCountAccum -> Discard;
    """

    annotations = ("PERFCTR",)
    state_types = {"counters": PerThread(count=u64, cycles=u64, zero_count=u64)}

    count = sum_handler("counters", text="packets that have passed with a count of cycles")
    cycles = sum_handler("counters", text="cycles since they passed SetCycleCount, all together")
    zero_count = sum_handler("counters", text="packets that have passed without one")
    reset_counts = reset_handler("counters", text="sets all three to 0.")
