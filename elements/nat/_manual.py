"""Common parts of the rewriters' manual pages."""

POLICY = """When there are MAPPING_CAPACITY flows, a new one replaces the flow that expires first, but no flow that had a packet
    within its guarantee. If there are only such flows, the new one is refused, and its packet is dropped and counted as a failure.

    The kernel path rewrites packets of known flows. It hands over a flow's first packet, and packets that change its state. Flows
    outlive the runtime."""
PORT_PATTERN = """- PATTERN: `SADDR SPORT DADDR DPORT`, where `-` leaves a field as it is, or a name that IPRewriterPatterns defines.
        SPORT may be a range `LOW-HIGH`; then no two flows to the same peer get the same port. The packet's own port is preferred,
        otherwise a port is chosen at random; with `LOW-HIGH?` always at random, with `LOW-HIGH#` in order. Without a free port the
        packet is dropped."""
PORTS = "Ports: a push input for each INPUTSPEC; push outputs. IP header annotations have to be set."
WAYS = """FromDevice(inside) -> Strip(14) -> CheckIPHeader -> [0] nat;
        FromDevice(outside) -> Strip(14) -> CheckIPHeader -> [1] nat;
        nat[0] -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(outside);
        nat[1] -> EtherEncap(0x0800, 02:00:00:00:00:03, 02:00:00:00:00:04) -> Queue -> ToDevice(inside);"""
ADDRESS_PATTERN = """- PATTERN: `SADDR DADDR`, where `-` leaves a field as it is, or a name that IPRewriterPatterns defines. SADDR may be a
        range `LOW-HIGH` or a prefix `ADDR/LENGTH` (without its first and last address); a free address is chosen at random,
        or in order with `LOW-HIGH#`. Without a free address the packet is dropped."""
