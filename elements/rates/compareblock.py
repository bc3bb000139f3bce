from __future__ import annotations

from clickbpf.args import Integer, Required
from clickbpf.vocabulary.element import PUSH, Element, field_handlers
from clickbpf.vocabulary.state import Vars, s32

NUMBER = Integer(signed=True)


class CompareBlock(Element):
    """separates packets of hosts that send far more than they receive, or the other way round

    Synopsis: `CompareBlock(FWD_WEIGHT, REV_WEIGHT, THRESH)`

    A packet leaves by output 1 if one of its rate annotations, FWD_RATE and REV_RATE, is greater than THRESH and
    FWD_WEIGHT * FWD_RATE is greater than REV_WEIGHT * REV_RATE; any other leaves by output 0. Rates below 1 count as 1.
    IPRateMonitor sets the annotations.

    Arguments:

      - FWD_WEIGHT, REV_WEIGHT: integers.
      - THRESH: a rate, in packets or bytes per second, as the annotations are.

    Ports: one push input, two push outputs.

    Handlers:

      - `fwd_weight`, `rev_weight` (read, write): the arguments.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> m :: IPRateMonitor(PACKETS, 1, 256, 600);
        m -> b :: CompareBlock(5, 2, 100);
        b[0] -> Discard;
        b[1] -> Print("too much") -> Discard;
    """

    ports = "1/2"
    processing = PUSH
    args = (Required("FWD_WEIGHT", NUMBER), Required("REV_WEIGHT", NUMBER), Required("THRESH", NUMBER))
    state_types = {"vars": Vars(fwd_weight=s32, rev_weight=s32, thresh=s32)}
    weight = 25

    def initialise(self) -> None:
        vars, cfg = self.state.vars, self.cfg
        vars.fwd_weight, vars.rev_weight, vars.thresh = cfg.fwd_weight, cfg.rev_weight, cfg.thresh

    fwd_weight = field_handlers("vars", NUMBER)
    rev_weight = field_handlers("vars", NUMBER)
