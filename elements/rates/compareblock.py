from clickbpf.declare import PUSH, SAME, Element, Integer, Required, Vars, s32

NUMBER = Integer(signed=True)


class CompareBlock(Element, ports="1/2", processing=PUSH):
    """separates packets of hosts that send far more than they receive, or the other way round

    A packet leaves by output 1 if one of its rate annotations, FWD_RATE and REV_RATE, is greater than THRESH and
    FWD_WEIGHT * FWD_RATE is greater than REV_WEIGHT * REV_RATE; any other leaves by output 0. Rates below 1 count as 1.
    IPRateMonitor sets the annotations.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> m :: IPRateMonitor(PACKETS, 1, 256, 600);
        m -> b :: CompareBlock(5, 2, 100);
        b[0] -> Discard;
        b[1] -> Print("too much") -> Discard;
    """

    args = (
        Required("FWD_WEIGHT", NUMBER, "integers", setting="vars"),
        Required("REV_WEIGHT", NUMBER, SAME, setting="vars"),
        Required("THRESH", NUMBER, "a rate, in the annotations' unit: packets or bytes per second"),
    )
    state_types = {"vars": Vars(fwd_weight=s32, rev_weight=s32, thresh=s32)}

    def initialise(self) -> None:
        vars, cfg = self.state.vars, self.cfg
        vars.fwd_weight, vars.rev_weight, vars.thresh = cfg.fwd_weight, cfg.rev_weight, cfg.thresh
