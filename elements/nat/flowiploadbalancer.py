from clickbpf.declare import NAMES_ANYWHERE, Bool, Constants, Keyword, Raw

from ._balancer import BALANCE, LoadBalancer
from ._flowmemory import FLOW_HOLDS, FLOW_STATE, FLOWS, MANUAL, FlowMemory
from .iploadbalancer import SERVERS, IPLoadBalancer


class FlowIPLoadBalancer(FlowMemory, IPLoadBalancer, traits=LoadBalancer.traits | NAMES_ANYWHERE):
    __doc__ = f"""spreads IP flows over servers

    A class of FastClick: IPLoadBalancer with a memory of flows. The first packet of a flow is given a server, and the others follow it,
    also when servers come and go; a server that isn't active any more gets no new flows. With LB_MODE cst_hash and a SEED this is what
    katran does: flows that the memory has no room for, or that a router in this one's place doesn't know, go where the hash says.

    {MANUAL}

    Everything is done in the kernel. (In FastClick a FlowIPManager before it has the flows.)

    Example:

        lb :: FlowIPLoadBalancer(VIP 10.0.0.1, DST 10.1.0.1, DST 10.1.0.2, LB_MODE cst_hash, SEED 77);
        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> lb -> Unstrip(14) -> Queue -> ToDevice(eth1);
        FromDevice(eth1) -> Strip(14) -> CheckIPHeader -> FlowIPLoadBalancerReverse(lb) -> Unstrip(14) -> Queue -> ToDevice(eth0);
    """

    args = (
        *SERVERS,
        Keyword("NONSYN", Bool(), True, "whether a flow of TCP may begin with a packet that isn't a SYN; else that is dropped"),
        *FLOWS,
        *BALANCE,
        Keyword("VERBOSE", Raw(), text="Accepted, of no effect"),
    )
    state_types = {**IPLoadBalancer.state_types, **FLOW_STATE}
    holds = (*IPLoadBalancer.holds, FLOW_HOLDS)
    weight = 500

    def constants(self) -> Constants:
        return {**super().constants(), **self.flow_constants()}
