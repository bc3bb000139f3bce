import ctypes

from clickbpf.declare import (
    ANEW, ArgError, Array, Bool, Element, Held, IPAddress, Integer, Optional, Private, Real, Required, Vars, Word, ptr,
    read_handler, split_args, sum_handler, u8, u32, u64, unparse_binary, value_handlers, write_handler,
)

#: The least MEMORY in kilobytes.
LEAST_MEMORY = 100
#: Of ratetree.inc.h: epochs in a second, and bits of fraction of an average.
EPOCHS, SCALE = 125, 10
MEMORY = Integer(32, high=1 << 22)
#: Bytes if MEMORY is 0.
MOST = 16 << 20

#: Rates of hosts or networks, in both directions: averages of events in an epoch, with bits of fraction, and events of the current
#: epoch; whether a network isn't to be split before an epoch; and the number of the subnet that it is split into, or 0.
HOSTS = Array(lambda element: element.most // HOSTS.stride + 2, average=u64 * 2, current=u64 * 2, epoch=u64, whole_until=u64, below=u32)
#: Networks that are split: their hosts by their byte; the host that each is, and the subnets made before and after it; 0 is none.
SUBNETS = Array(
    lambda element: element.most // (HOSTS.stride + SUBNETS.stride) + 3, branch=u32 * 256, above=u32, older=u32, younger=u32
)


class IPRateMonitor(Element, ports="1-2/1-2", flow="#/#"):
    """measures the rates of IP addresses, and of the networks that they are in

    Packets on input 0 are counted by source address, packets on input 1 by destination. At first one pair of rates is kept for all
    addresses with the same first byte. When a rate reaches THRESH, that network is split by the next byte of the address, and so on
    down to single hosts; once a second, parts with less traffic are merged again. Packets get the two rates of the smallest network
    that is kept for their address as annotations FWD_RATE (from it) and REV_RATE (to it), for Block and CompareBlock. The
    annotations have 31 bits: 2147483647 stands for that rate or more. (Click's element counts in 32 bits, which wrap from 2 MB/s
    on.)

    The kernel path counts, and hands over packets that need a new network or host.

    A rate is an average over about a quarter of a second, in which the last 8 ms weigh 1/32. Packets without a marked IP
    header pass uncounted.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> [0]m :: IPRateMonitor(PACKETS, 1, 256, 600);
        FromDevice(eth1) -> Strip(14) -> CheckIPHeader -> [1]m;
        m[0] -> Block(1000) => Discard, Discard;
        m[1] -> Discard;
    """

    operations = ("RESET", "LOOK", "FORGET", "LIMIT", "HOLD")
    weight = 1500
    args = (
        Required("TYPE", Word(), "PACKETS or BYTES, what rates count per second"),
        Required("RATIO", Real(16), "the fraction of packets that is counted, from 0 to 1"),
        Required("THRESH", Integer(32, signed=True), "the rate, extrapolated to all packets, at which a network is split"),
        Optional("MEMORY", MEMORY, 0, "kilobytes to use, at least 100; or 0 for as much as needed, up to 16 MB. Default 0. As much again "
            "is reserved. (Click's element has no limit.)"),
        Optional("ANNO", Bool(), True, "whether to set the annotations"),
    )
    annotations = ("FWD_RATE", "REV_RATE")
    #: `room` has bits.
    state_types = {
        "hosts": HOSTS,
        "subnets": SUBNETS,
        "shared": Vars(refused=u64, hosts=u32, subnets=u32, room=u8),
        "tree": Private(
            text=ptr, memory=u64, limit=u64, since=u64, first=u32, last=u32, free_host=u32, free_subnet=u32,
        ),
    }  # fmt: skip
    holds = (Held("rates of networks", ANEW, ANEW),)
    derived = {
        "packets": ("bool", lambda self: self.cfg.type.upper() == "PACKETS"),
        "chance": ("__u32", lambda self: self.cfg.ratio),
        "most": ("__u64", lambda self: self.most),
        "split_at": ("__s32", lambda self: self.thresh_counted),
    }

    @property
    def most(self) -> int:
        """Bytes that the states have room for."""
        return _bytes(self.cfg.memory) or MOST

    def configure(self) -> None:
        cfg = self.cfg
        if cfg.type.upper() not in ("PACKETS", "BYTES"):
            raise ArgError('monitor type should be "PACKETS" or "BYTES"', argument="TYPE")
        if not 0 <= cfg.ratio <= 1 << 16:
            raise ArgError("ratio must be between 0 and 1", argument="RATIO")
        self.thresh_counted = cfg.thresh * cfg.ratio >> 16

    def initialise(self) -> None:
        self.state.tree.limit = _bytes(self.cfg.memory)

    thresh = read_handler(lambda self: str(self.thresh_counted), text="THRESH times RATIO.")

    no_room = sum_handler("shared", "refused", text="how many packets belonged to a network or host without room for its own rates within "
        "MEMORY, or 16 MB")
    mem = sum_handler("tree", "memory", text="bytes in use. `memmax`: (read) the limit in bytes, (write) MEMORY, up to its configured "
        "value")
    memmax = value_handlers(
        MEMORY, lambda self: str(self.state.tree.limit), lambda self, memory: self._control("LIMIT", _bytes(memory))
    )

    @write_handler
    def reset(self, text: str) -> None:
        """forgets all rates."""
        self._control("RESET")

    @read_handler
    def look(self) -> str:
        """first the time since the start, in units of 8 ms; then a line for each network or host with traffic, indented below the
        network that contains it: address, rate from, rate to.
        """
        self._control("LOOK")
        since, *rows = ctypes.string_at(self.state.tree.text.value).decode().splitlines()
        self._control("FORGET")
        return f"{since}\n" + "".join(_row(*row.rsplit(" ", 2)) for row in rows)

    @write_handler
    def anno_level(self, text: str) -> None:
        """`ADDRESS LEVEL SECONDS`: for that time, don't split the network of the first LEVEL + 1 (1 to 4) bytes of the address."""
        words = [word for word, _ in split_args(text)] if "," in text else text.split()
        if len(words) != 3:
            raise ArgError("expecting 3 arguments", "ADDRESS LEVEL SECONDS")
        address = IPAddress().parse(words[0], self.context)
        level, seconds = Integer(32, high=3).parse(words[1]), Integer(32, low=1).parse(words[2])
        self._control("HOLD", (ctypes.c_uint32 * 3)(int(address), level, seconds))

    def _control(self, op: int, argument: int | ctypes.Array | None = None) -> None:
        if self.runtime is None:
            raise ArgError("the runtime that knows the rates is not running")
        if self.runtime.control(op, argument):
            raise ArgError("out of memory")


def _bytes(kilobytes: int) -> int:
    return max(kilobytes, LEAST_MEMORY) * 1024 if kilobytes else 0


def _row(name: str, *averages: str) -> str:
    rates = (unparse_binary(int(average) * EPOCHS, SCALE) for average in averages)
    return "\t".join((name, *rates)) + "\n"
