"""The invariant of the kernel path, seen from outside: the same packets into a loaded router with a kernel path and without one.

    python -m clickbpf.testing.live configs/nat.click --variants xdp,tc,replace

For each configuration with devices, `stage` makes namespaces with a cable for each device and loads the router there as users do, by a
variant: options, and what happens in the middle of the traffic (`variants`). `traffic` makes packets that concern this router, from the
words of its configuration (`words`); `neighbours` answers what the router asks on its wires. `play` sends the packets one at a time, each
when the router has nothing to do any more, and records what leaves, handlers and drops. `compare` compares the record with one of the
router without a kernel path (`differences`). In what two records of the latter differ isn't determined by the packets; it is named instead.

Needs root, iproute2, ethtool and util-linux.
"""
