from clickbpf.declare import BEARS_OFFLOADS, KEEPS_HEADER, Element, PerThread, sum_handler, u64


class DropBroadcasts(Element, ports="1/1-2", processing="a/ah", traits=BEARS_OFFLOADS | KEEPS_HEADER):
    """drops packets that arrived as link-level broadcasts or multicasts

    Routers must not forward them (RFC 1812, 5.3.4). The element tests the packet type annotation, which FromDevice sets.

    Ports: one input; output 0, and push output 1 (may be missing), where packets go instead of being dropped.

    Example: FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> DropBroadcasts -> Discard;
    """

    state_types = {"counters": PerThread(drops=u64)}

    drops = sum_handler("counters", text="packets that did not pass")
