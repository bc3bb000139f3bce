from clickbpf.declare import Bool, Element, Integer, Keyword, Optional


class AggregatePaint(Element):
    """sets the aggregate annotation to packets' colour

    Example: FromDevice(eth0) -> Paint(5) -> AggregatePaint(2) -> AggregateCounter -> Discard;
    """

    args = (
        Optional("BITS", Integer(low=1, high=8), 8, "Integer, 1 to 8. Take this number of low bits of the annotation PAINT"),
        Keyword("INCREMENTAL", Bool(), False, "Boolean. Shift the old aggregate up by BITS bits, and add these bits"),
    )
    annotations = ("AGGREGATE",)
