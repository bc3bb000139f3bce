from clickbpf.declare import USER, Element, PerThread, reset_handler, sum_handler, u64

from ._cycles import CYCLES


class RoundTripCycleCount(Element, runs=USER):
    __doc__ = f"""counts the cycles that the elements after it take for a packet, or those before it

    In a push context these are the elements that it pushes packets to, until they are done with them; in a pull context those
    that it pulls packets from. It runs in the runtime, and so does what comes after it: in the kernel elements become one program,
    and nothing comes back to an element that a packet has passed.

    {CYCLES}

    Example:

        FromDevice(eth0) -> c :: RoundTripCycleCount -> Strip(14) -> CheckIPHeader -> Discard;
    """

    state_types = {"counters": PerThread(packets=u64, cycles=u64)}

    packets = sum_handler("counters", text="packets that have passed")
    cycles = sum_handler("counters", text="cycles for all of them, and in a pull context for pulls without a packet")
    reset_counts = reset_handler("counters", text="sets both to 0.")
