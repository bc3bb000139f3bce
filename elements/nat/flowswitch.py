from clickbpf.declare import CHOOSES, Constants

from ._balancer import BALANCE, LoadBalancer
from ._flowmemory import FLOW_HOLDS, FLOW_STATE, FLOWS, MANUAL, FlowMemory


class FlowSwitch(FlowMemory, LoadBalancer, ports="1/1-", traits=LoadBalancer.traits | CHOOSES):
    __doc__ = f"""spreads IP flows over its outputs

    A class of FastClick. All packets of a flow leave by the same output, which LB_MODE chooses for the first packet as
    IPLoadBalancer chooses servers. Packets aren't changed.

    {MANUAL}

    Handlers:

      - `active0`, `active1`, ... (read, write): whether new flows may leave by an output.

    Example: three intrusion detectors, each with its own flows:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> Unstrip(14) -> s :: FlowSwitch(LB_MODE cst_hash);
        s[0] -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth2);
        s[2] -> Queue -> ToDevice(eth3);
    """

    args = (*FLOWS, *BALANCE)
    state_types = {**LoadBalancer.state_types, **FLOW_STATE}
    holds = (*LoadBalancer.holds, FLOW_HOLDS)
    weight = 400

    @property
    def total(self) -> int:
        return self.noutputs

    def names(self) -> list[bytes]:
        return [str(number).encode() for number in range(self.noutputs)]

    def constants(self) -> Constants:
        return {**super().constants(), **self.flow_constants()}
