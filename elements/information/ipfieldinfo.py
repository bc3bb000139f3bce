from clickbpf.declare import CONTROL, Element


class IPFieldInfo(Element, ports="0/0", runs=CONTROL):
    """knows the names of fields of IP headers

    In Click, this class provides the names of fields for AggregateIP, such as `ip src` and `tcp dport`. Here they are built in, and
    the element has no effect.

    Example:

        IPFieldInfo;
        FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> AggregateIP(ip src/24) -> Discard;
    """
