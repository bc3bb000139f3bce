from clickbpf.declare import (
    ANEW, KEPT, KERNEL, MARKED, PUSH, THREAD_SAFE, Array, Constants, Enum, Held, Integer, Keyword, Reconfigurable, Vars, u64,
)

from ..common._bucket import PACKET_ARGS, SHARED_BUCKET, BucketElement
from ..tables._buckets import bucket_count

#: Each host has a bucket in each row, as in C.
ROWS = 2
CAPACITY = Keyword("CAPACITY", Integer(32, low=1, high=1 << 20), 1 << 16, "buckets in each of the two rows, rounded up to a power of two")


class HostRateLimiter(Reconfigurable, BucketElement, ports="1/1-2", processing=PUSH, runs=KERNEL, traits=THREAD_SAFE):
    """limits the packets per second of each host

    A packet leaves by output 0 if its host has sent no more than RATE packets per second, after a burst; others leave by output 1,
    or are dropped for the reason LIMITED if output 1 isn't connected. ADDRESS and the prefixes select the bits that identify a
    host, by default those of the source address. Packets of both IP versions need a header marked by CheckIPHeader or
    CheckIP6Header.

    Memory is bounded, and no host displaces another: a hash with a secret key assigns each host two of 2 * CAPACITY token buckets,
    and the host is limited when both are empty. So a host gets its RATE unless busy hosts share both of its buckets. In a flood
    from h addresses, with h much smaller than CAPACITY, one in (CAPACITY / h)^2 hosts is affected. Nobody can choose whom to share
    buckets with.

    Example: no host gets more than 1000 packets a second through, and no site with IPv6 more than that:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> HostRateLimiter(1000, BURST_SIZE 200)
            -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    takes = (MARKED,)
    weight = 150
    args = (
        PACKET_ARGS[0],
        Keyword("ADDRESS", Enum(src=1, dst=0), 1, "`src` or `dst`: the address that identifies a host"),
        Keyword("PREFIX", Integer(8, low=1, high=32), 32, "bits of an IPv4 address that identify a host"),
        Keyword("PREFIX6", Integer(8, low=1, high=128), 64, "bits of an IPv6 address. Default is 64: a host may have a whole /64"),
        CAPACITY,
        *PACKET_ARGS[1:],
    )
    state_types = {
        "bucket": SHARED_BUCKET,
        "levels": Array(lambda element: ROWS * element.row, level=u64),
        "secret": Vars(key=u64 * 2),
    }
    holds = (Held("the hosts' tokens", ANEW, KEPT),)

    def configure(self) -> None:
        super().configure()
        self.row = bucket_count(self.cfg.capacity, 1)

    def constants(self) -> Constants:
        mask = (1 << 128) - (1 << (128 - self.cfg.prefix6))
        return {
            "flows": ("bool", "false"),
            "row": ("__u32", str(self.row)),
            "mask": ("__u32", f"{(1 << 32) - (1 << (32 - self.cfg.prefix)):#x}"),
            "mask_high": ("__u64", f"{mask >> 64:#x}ull"),
            "mask_low": ("__u64", f"{mask & (1 << 64) - 1:#x}ull"),
        }
