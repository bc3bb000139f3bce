from __future__ import annotations

from clickbpf.vocabulary.element import PUSH, Element


class RandomSwitch(Element):
    """sends each packet to an output chosen at random

    Synopsis: `RandomSwitch`

    All outputs are equally likely.

    Ports: one push input, one or more push outputs.

    Example:

        FromDevice(eth0) -> s :: RandomSwitch;
        s[0] -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth2);
    """

    ports = "1/1-"
    processing = PUSH
    weight = 15
