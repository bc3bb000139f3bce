from __future__ import annotations

from clickbpf.args import Integer, Required
from clickbpf.vocabulary.element import PUSH, Element, field_handlers
from clickbpf.vocabulary.state import Vars, s32

THRESHOLD = Integer(signed=True)


class Block(Element):
    """separates packets of a high rate from others

    Synopsis: `Block(THRESH)`

    A packet whose forward rate annotation, FWD_RATE, is at most THRESH leaves by output 0, any other by output 1. If THRESH
    is 0 all packets leave by output 0. IPRateMonitor sets the annotation.

    Arguments:

      - THRESH: a rate, in packets or bytes per second, as the annotation is.

    Ports: one push input, two push outputs.

    Handlers:

      - `thresh` (read, write): THRESH.

    Example:

        FromDevice(eth0) -> b :: Block(500);
        b[0] -> Queue -> ToDevice(eth1);
        b[1] -> Discard;
    """

    ports = "1/2"
    processing = PUSH
    reconfigurable = True
    args = (Required("THRESH", THRESHOLD),)
    state_types = {"vars": Vars(thresh=s32)}
    weight = 15

    thresh = field_handlers("vars", THRESHOLD, wrong="not an integer")
