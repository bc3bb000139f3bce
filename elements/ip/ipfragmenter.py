from clickbpf.declare import BEARS_OFFLOADS, MARKED, PUSH, Bool, Element, Integer, Keyword, Optional, PerThread, Required, sum_handler, u64


class IPFragmenter(Element, ports="1/1-2", processing=PUSH, traits=BEARS_OFFLOADS):
    """splits IP packets that are longer than an MTU

    A packet of at most MTU bytes, counted from its IP header, leaves unchanged by output 0. A longer one, even if it is itself a
    fragment, is split into fragments (RFC 791, 3.2), which leave by output 0 in order; the first keeps all options, the others only
    options with the copied flag. A packet that must not be split (DF), or whose header leaves no room for data, leaves unchanged by
    output 1, usually to an ICMPError that reports the MTU to the sender, or is dropped if output 1 isn't connected.

    All fragments get the annotations. Bytes before the IP header stay with the first fragment only, so Strip link headers first.
    The packet's IP header must be marked (CheckIPHeader, MarkIPHeader), and the packet trimmed to its length; a packet without one,
    or shorter than it says, is dropped. The kernel path hands over packets that don't fit.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> fr :: IPFragmenter(1400) -> Discard;
        fr[1] -> ICMPError(10.0.1.1, unreachable, needfrag, PMTU 1400) -> Discard;
    """

    same_form = True
    takes = (MARKED,)
    args = (
        Required("MTU", Integer(low=8), "the longest packet in bytes, at least 8"),
        Optional("HONOR_DF", Bool(), True, "false to split packets with DF as well; their fragments have DF off and a random "
            "identification"),
        Optional("VERBOSE", Bool(), False, "whether to print a message for every packet that can't be split, and not only for five"),
        Keyword("HEADROOM", Integer(), 28, "bytes left free in front of all fragments but the first"),
    )
    state_types = {"counters": PerThread(drops=u64, fragments=u64)}

    drops = sum_handler("counters", text="how many packets could not be split")
    fragments = sum_handler("counters", text="how many fragments were made")
