from clickbpf.declare import NAMES_ANYWHERE, Bool, Constants, Keyword, Raw

from ._balancer import BALANCE, LoadBalancer
from ._flowmemory import FLOW_HOLDS, FLOW_STATE, FLOWS, MANUAL, FlowMemory
from .iploadbalancer import SERVERS, IPLoadBalancer


class FlowIPLoadBalancer(FlowMemory, IPLoadBalancer, traits=LoadBalancer.traits | NAMES_ANYWHERE):
    __doc__ = f"""spreads IP flows over servers

    A class of FastClick: IPLoadBalancer with a table of flows. All packets of a flow go to the server chosen for its first packet,
    even when servers come and go; an inactive server gets no new flows. With LB_MODE cst_hash and a SEED it works like katran:
    flows that the table has no room for, or that a router which replaces this one doesn't know, go by the hash. With LST_MODE conn a
    server's load is the number of its flows; those that are over count for up to a second more. (FastClick adds 1 for each SYN, and
    subtracts 1 for each FIN or RST.)

    {MANUAL}

    It runs entirely in the kernel. (In FastClick it needs a FlowIPManager before it.)

    Example:

        lb :: FlowIPLoadBalancer(VIP 10.0.0.1, DST 10.1.0.1, DST 10.1.0.2, LB_MODE cst_hash, SEED 77);
        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> lb -> Unstrip(14) -> Queue -> ToDevice(eth1);
        FromDevice(eth1) -> Strip(14) -> CheckIPHeader -> FlowIPLoadBalancerReverse(lb) -> Unstrip(14) -> Queue -> ToDevice(eth0);
    """

    args = (
        *SERVERS,
        Keyword("NONSYN", Bool(), True, "whether a TCP flow may begin with a packet other than a SYN; otherwise that is dropped"),
        *FLOWS,
        *BALANCE,
        Keyword("VERBOSE", Raw(), text="Accepted, but has no effect"),
    )
    state_types = {**IPLoadBalancer.state_types, **FLOW_STATE}
    holds = (*IPLoadBalancer.holds, FLOW_HOLDS)
    weight = 500

    def constants(self) -> Constants:
        return {**super().constants(), **self.flow_constants()}
