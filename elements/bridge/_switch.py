"""The base of Ethernet switches: the table of addresses (table.h), arguments and handlers."""

from clickbpf.declare import (
    ANEW, KEPT, PUSH, THREAD_SAFE, Array, Constants, Copies, Element, Ether, Held, Integer, Keyword, Time, Vars, read_handler, s64, u64,
    value_handlers,
)

from ..tables._buckets import bucket_count

SECOND = 10**9
#: Entries per bucket, SWITCH_WAYS in C.
WAYS = 4
ADDRESS = (1 << 48) - 1
#: Click counts seconds in 32 bits.
LONGEST = 0xFFFFFFFF * SECOND
TIMEOUT, UNBOUNDED = Time(digits=0, high=LONGEST), Time(digits=0, high=1 << 128)


class SwitchElement(Element, processing=PUSH, traits=THREAD_SAFE):
    """A switch's table is an Array of buckets; `bits` is the logarithm of their number."""

    args = (
        Keyword("TIMEOUT", TIMEOUT, 300 * SECOND, "how long to remember an address, in whole seconds; 0 to learn nothing and be a hub. "
            "Default 300"),
        Keyword("CAPACITY", Integer(low=1, high=1 << 20), 1 << 15, "how many addresses to remember, up to 1048576"),
    )
    #: `host` has an address in the low 48 bits, in network byte order, and the port's number plus 1 above. `seen`: nanoseconds
    #: since 1970. `clock`: the offset of now() from that. `shorter`: a temporary timeout in ns, 0 for none. `key`: the hash's key.
    state_types = {
        "table": Array(lambda element: 1 << element.bits, host=u64 * WAYS, seen=u64 * WAYS),
        "vars": Vars(timeout=s64, shorter=s64, clock=s64, key=u64 * 2),
    }
    holds = (Held("addresses", ANEW, KEPT),)

    def configure(self) -> None:
        # With twice the capacity, fewer than one address in a thousand finds both of its buckets full.
        self.bits = max(4, (bucket_count(2 * self.cfg.capacity, WAYS) - 1).bit_length())

    def copies(self) -> Copies:
        """A flooded packet leaves by all outputs except that of its own network, the last output first."""
        return [[port for port in reversed(range(self.noutputs)) if port != own] for own in range(self.ninputs)]

    def constants(self) -> Constants:
        return {**super().constants(), "bits": ("int", str(self.bits))}

    def initialise(self) -> None:
        self.state.vars.timeout = self.cfg.timeout

    @read_handler
    def table(self) -> str:
        """a line for each address: the address, and the number of its port."""
        words = (word for bucket in self.state.table for word in bucket.host if word)
        entries = sorted((Ether((word & ADDRESS).to_bytes(6, "little")), word >> 48) for word in words)
        return "".join(f"{address} {port - 1}\n" for address, port in entries)

    timeout = value_handlers(
        UNBOUNDED,
        lambda self: str(self.state.vars.timeout // SECOND),
        lambda self, timeout: setattr(self.state.vars, "timeout", min(timeout, LONGEST)),
        wrong="expected timeout (integer)",
        text="TIMEOUT, in seconds.",
    )
