from clickbpf.declare import BEARS_OFFLOADS, PASSES, Element

from ._cycles import CYCLES


class SetCycleCount(Element, traits=BEARS_OFFLOADS | PASSES):
    __doc__ = f"""notes the time at which packets pass, for CycleCountAccum

    {CYCLES}

    Example: how long do packets wait?

        FromDevice(eth0) -> SetCycleCount -> Queue -> Unqueue -> c :: CycleCountAccum -> Discard;
    """

    annotations = ("PERFCTR",)
