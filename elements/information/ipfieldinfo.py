from __future__ import annotations

from clickbpf.vocabulary.element import CONTROL, Element


class IPFieldInfo(Element):
    """knows the names of fields of IP headers

    Synopsis: `IPFieldInfo`

    In Click the names that AggregateIP takes, such as `ip src` and `tcp dport`, are part of this class. Here they are part of the
    arguments that use them, and the element has no effect.

    Ports: none.

    Example:

        IPFieldInfo;
        FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> AggregateIP(ip src/24) -> Discard;
    """

    ports = "0/0"
    runs = CONTROL
