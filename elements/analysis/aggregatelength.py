from clickbpf.declare import Bool, Element, Keyword


class AggregateLength(Element, ports="1/1-2", processing="a/ah"):
    """sets the aggregate annotation to packets' length

    The length includes bytes that weren't recorded (annotation EXTRA_LENGTH).

    Ports: one input; packets leave by output 0, others by output 1 if it is connected.

    Example: FromDevice(eth0) -> AggregateLength -> AggregateCounter -> Discard;
    """

    args = (
        Keyword("IP", Bool(), False, "Boolean. Count from the IP header on; packets that have none leave by output 1, or are dropped"),
    )
    annotations = ("AGGREGATE",)
