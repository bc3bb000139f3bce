from clickbpf.declare import USER, Element, PerThread, reset_handler, sum_handler, u64

from ._cycles import CYCLES


class RoundTripCycleCount(Element, runs=USER):
    __doc__ = f"""counts the cycles that the elements after it take for a packet, or those before it

    In a push context, measures how long pushing a packet to the elements after it takes; in a pull context, how long pulling one
    takes. It runs in the runtime, with all elements after it: in the kernel, all elements are one program, and control never
    returns to an earlier element.

    {CYCLES}

    Example: FromDevice(eth0) -> c :: RoundTripCycleCount -> Strip(14) -> CheckIPHeader -> Discard;
    """

    state_types = {"counters": PerThread(packets=u64, cycles=u64)}

    packets = sum_handler("counters", text="packets measured")
    cycles = sum_handler("counters", text="cycles for all of these; in a pull context, also for pulls without a packet")
    reset_counts = reset_handler("counters", text="sets both to 0.")
