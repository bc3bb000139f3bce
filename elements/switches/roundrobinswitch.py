from __future__ import annotations

from clickbpf.vocabulary.element import PUSH, Element
from clickbpf.vocabulary.state import Vars, u32


class RoundRobinSwitch(Element):
    """sends packets to its outputs in turn

    Synopsis: `RoundRobinSwitch`

    The first packet leaves by output 0, the next one by output 1, and so on; after the last output it is output 0's turn
    again. Where several CPUs push packets at the same moment, some of these may leave by the same output.

    Ports: one push input, one or more push outputs.

    Example:

        FromDevice(eth0) -> s :: RoundRobinSwitch;
        s[0] -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth2);
    """

    ports = "1/1-"
    processing = PUSH
    state_types = {"vars": Vars(next=u32)}
    weight = 20
