from clickbpf.declare import CONTROL, Element


class IPFieldInfo(Element, ports="0/0", runs=CONTROL):
    """knows the names of fields of IP headers

    In Click the names that AggregateIP takes, such as `ip src` and `tcp dport`, are part of this class. Here they are part of the
    arguments that use them, and the element has no effect.

    Example:

        IPFieldInfo;
        FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> AggregateIP(ip src/24) -> Discard;
    """
