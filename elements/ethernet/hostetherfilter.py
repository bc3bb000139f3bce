from clickbpf.declare import BEARS_OFFLOADS, Bool, EtherAddress, Integer, Keyword, Optional, Reconfigurable, Required


class HostEtherFilter(Reconfigurable, ports="1/1-2", processing="a/ah", traits=BEARS_OFFLOADS):
    """drops Ethernet frames for other hosts

    Filters like a network card with the address ETHER. Frames for ETHER, broadcasts and multicasts pass, and their packet type
    annotation is set to HOST, BROADCAST or MULTICAST; for others it is OTHERHOST. Filtered frames leave by output 1, or are dropped
    if it isn't connected. Frames shorter than an Ethernet header are dropped.

    Example: FromDevice(eth0, PROMISC true) -> HostEtherFilter(02:00:00:00:00:01, DROP_OWN true) -> Discard;
    """

    args = (
        Required("ETHER", EtherAddress(), "an Ethernet address", setting="vars"),
        Optional("DROP_OWN", Bool(), False, "whether to filter frames from ETHER, whatever their destination"),
        Optional("DROP_OTHER", Bool(), True, "whether to filter frames for other hosts"),
        Keyword("OFFSET", Integer(), 0, "bytes in front of the Ethernet header"),
    )
