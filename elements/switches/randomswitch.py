from clickbpf.declare import PUSH, Element


class RandomSwitch(Element, ports="1/1-", processing=PUSH):
    """sends each packet to an output chosen at random

    All outputs are equally likely.

    Example:

        FromDevice(eth0) -> s :: RandomSwitch;
        s[0] -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth2);
    """

    same_form = True
