"""A test of the kernel path's invariant from outside: a loaded router gets the same packets with a kernel path and without one.

    python -m clickbpf.testing.live configs/nat.click --variants xdp,tc,replace

For each configuration with devices, `stage` makes namespaces with a veth pair for each device, and loads the router there as users do.
A variant has the options for this, and an event in the middle of the traffic (`variants`). `traffic` makes packets that concern the router,
from the words of its configuration (`words`); `neighbours` answers the router's ARP requests and neighbour solicitations. `play` sends the
packets one at a time, each when the router has become quiet, and records the packets that leave, handlers and drops. `compare` compares
the record with one of the router without a kernel path (`differences`). Two records of the latter show what packets don't determine; that
isn't compared, but listed.

Needs root, iproute2, ethtool and util-linux.
"""
