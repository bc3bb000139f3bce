from clickbpf.declare import Bool, Element, Integer, IPPort, Optional, Vars, u32


class ForceTCP(Element):
    """makes the contents of IP packets look like TCP

    For tests: noise becomes TCP segments that a receiver accepts as valid. The packet's IP header has to be marked (MarkIPHeader,
    ForceIP). An invalid data offset is replaced by a random valid one, from 20 bytes to the whole segment, and the checksum is
    computed. Packets with wrong lengths in the IP header, or less than 20 bytes after it, are dropped; the runtime reports this on
    standard error.

    Headers with IP options, wrong data offsets, and segments of more than 4095 bytes are left to the runtime. (Click's element
    adds IP options to the checksum, and its data offsets may be less than 20 bytes.)

    Example: FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> ForceTCP(80, false, 2) -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    args = (
        Optional("DPORT", IPPort(6), 0, "the destination port, by number or name; 0 leaves it as it is"),
        Optional("RANDOM_DPORT", Bool(), False, "true to change destination ports if DPORT is 0: of each eight packets in a row, the first "
            "two get port 80 and the fourth one a random port below 1024"),
        Optional("FLAGS", Integer(32, signed=True), -1, "the eight flags, a number; -1 leaves them as they are"),
    )
    state_types = {"vars": Vars(turn=u32)}
    holds = ()
    weight = 350
