from clickbpf.declare import KERNEL, MARKED, PUSH, THREAD_SAFE, Constants

from ..common._bucket import PACKET_ARGS
from .hostratelimiter import CAPACITY, HostRateLimiter


class FlowRateLimiter(HostRateLimiter, ports="1/1-2", processing=PUSH, runs=KERNEL, traits=THREAD_SAFE):
    """limits the packets per second of each flow

    A class of FastClick: HostRateLimiter for flows, i.e. packets with the same addresses, protocol and ports; fragments count as
    without ports. A packet leaves by output 0 if its flow has sent no more than RATE packets per second, after a burst; others leave
    by output 1, or are dropped for the reason LIMITED if output 1 isn't connected. FastClick needs a FlowIPManager upstream to track
    flows; here flows share buckets, as hosts do in HostRateLimiter.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> FlowRateLimiter(1000, BURST_SIZE 200)
            -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    takes = (MARKED,)
    args = (PACKET_ARGS[0], CAPACITY, *PACKET_ARGS[1:])

    def constants(self) -> Constants:
        """The constants of hostratelimiter.c; those about hosts are unused here."""
        about_hosts = {name: ("__u64", "0") for name in ("address", "mask", "mask_high", "mask_low")}
        return {**about_hosts, "flows": ("bool", "true"), "row": ("__u32", str(self.row))}
