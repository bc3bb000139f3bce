
from clickbpf.declare import ANEW, KEPT, PUSH, THREAD_SAFE, Constants, Held, Vars, read_handler, sum_handler, u64

from ..common._clock import now
from ._flowmemory import FLOW_HOLDS, FLOW_STATE, FLOWS, MANUAL, TICK, FlowMemory


class FlowCounter(FlowMemory, processing=PUSH, traits=THREAD_SAFE):
    __doc__ = f"""counts IP flows

    A class of FastClick, without its histogram of flows' lengths. Packets pass unchanged.

    {MANUAL}

    It runs entirely in the kernel. (In FastClick it needs a FlowIPManager before it.)

    Example: FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> f :: FlowCounter -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    args = FLOWS
    state_types = {**FLOW_STATE, "secret": Vars(key=u64 * 2)}
    holds = (FLOW_HOLDS, Held("how many there were", ANEW, KEPT))
    weight = 200

    def constants(self) -> Constants:
        return self.flow_constants()

    count = sum_handler("counters", "begun", text="how many flows have begun")

    @read_handler
    def open(self) -> str:
        """how many of them aren't over."""
        tick, life = now(self) >> TICK, (self.cfg.timeout >> TICK) + 1
        words = (word for bucket in self.state.flows for word in bucket.word if word)
        return str(sum((tick - word) & 0xFFFF <= life for word in words))
