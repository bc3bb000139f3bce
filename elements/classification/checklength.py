from clickbpf.declare import BEARS_OFFLOADS, CHOOSES, Element, Integer, Required


class CheckLength(Element, ports="1/1-2", processing="a/ah", traits=BEARS_OFFLOADS | CHOOSES):
    """separates packets longer than a limit from others

    Packets of up to LENGTH bytes leave by output 0. Longer ones leave by output 1, or are dropped if it isn't connected.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> check :: CheckLength(1500) -> Discard;
        check[1] -> ICMPError(10.0.0.1, unreachable, needfrag) -> Discard;
    """

    args = (Required("LENGTH", Integer(), "bytes", setting=True),)
