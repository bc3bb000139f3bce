from __future__ import annotations

from clickbpf.args import Integer, Required
from clickbpf.vocabulary.element import PUSH, Element


class StaticSwitch(Element):
    """sends all packets to one of its outputs

    Synopsis: `StaticSwitch(OUTPUT)`

    A Switch that can't be changed while the router runs, and so costs nothing.

    Arguments:

      - OUTPUT: the output that packets leave by; if there is no such output, or it is negative, packets are dropped.

    Ports: one push input, any number of push outputs.

    Example: a debugging branch that a variable of the configuration switches on (`DEBUG=1`):

        define($DEBUG 0);
        FromDevice(eth0) -> s :: StaticSwitch($DEBUG);
        s[0] -> out :: Queue -> ToDevice(eth1);
        s[1] -> Print -> out;
    """

    bears_offloads = True
    ports = "1/-"
    processing = PUSH
    args = (Required("OUTPUT", Integer(signed=True)),)
    weight = 1

    def only_way(self) -> tuple[int, int]:
        return 0, self.cfg.output
