from clickbpf.declare import SAME, Keyword, Optional, Raw

from .null import Null


class FlowIPManager(Null):
    """accepts the arguments by which FastClick keeps flows

    In FastClick, flow elements after it (FlowIPLoadBalancer, FlowSwitch, FlowRateLimiter, FlowCounter) keep their state in its
    table. Here each has its own table, with its own CAPACITY and TIMEOUT, and packets pass this element unchanged, at no cost.
    FlowCounter counts flows. FastClick's other managers are other names of the class.

    Example: FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> FlowIPManager -> f :: FlowCounter -> Discard;
    """

    aliases = (
        "FlowIPManagerIMP", "FlowIPManagerMP", "FlowIPManagerHMP", "FlowIPManagerBucket", "FlowIPManager_CuckooPP", "FlowIPManager_DPDK",
    )  # fmt: skip
    args = (
        Optional("CAPACITY", Raw(), text="Accepted, without effect"),
        *(Keyword(name, Raw(), text=SAME) for name in ("RESERVE", "TIMEOUT", "LF", "CACHE", "VERBOSE", "RECYCLE_INTERVAL")),
    )
