from clickbpf.declare import (
    SAME, ArgError, Bool, Keyword, Optional, PerThread, Reconfigurable, Vars, read_handler, sum_handler, u8, u32, u64, value_handlers,
)

from ._probability import ONE, PROBABILITY

EXPECTED = "Must be given a number between 0.0 and 1.0"


class RandomSample(Reconfigurable, ports="1/1-2", processing="a/ah"):
    """passes packets with some probability

    Each packet leaves by output 0 with probability P. Others leave by output 1, or are dropped if that isn't connected.

    Example: a look at one packet of a thousand:

        FromDevice(eth0) -> s :: RandomSample(0.001) -> Print -> Discard;
        s[1] -> Discard;
    """

    same_form = True
    args = (
        Optional("P", PROBABILITY, text="the probability, a number from 0 to 1. One of P, SAMPLE and DROP must be given"),
        Keyword("SAMPLE", PROBABILITY, text=SAME),
        Keyword("DROP", PROBABILITY, text="the probability of not leaving by output 0"),
        Keyword("ACTIVE", Bool(), True, "false to let all packets leave by output 0", setting="vars"),
    )
    state_types = {"vars": Vars(sampled=u32, active=u8), "counters": PerThread(drops=u64)}
    holds = ()

    def configure(self) -> None:
        given = self.cfg
        if given.sample is not None and given.drop is not None:
            raise ArgError("give at most one of SAMPLE and DROP", argument="DROP")
        self.probability = given.p if given.sample is None else given.sample
        if given.drop is not None:
            self.probability = ONE - given.drop
        if self.probability is None or not 0 <= self.probability <= ONE:
            raise ArgError("sampling probability must be between 0 and 1")

    def initialise(self) -> None:
        self.state.vars.sampled, self.state.vars.active = self.probability, self.cfg.active

    def _sample(self, probability: int) -> None:
        if not 0 <= probability <= ONE:
            raise ArgError(EXPECTED)
        self.state.vars.sampled = probability

    sampling_prob = value_handlers(PROBABILITY, lambda self: self.state.vars.sampled, _sample, wrong=EXPECTED, text="P")
    drop_prob = value_handlers(
        PROBABILITY, lambda self: ONE - self.state.vars.sampled, lambda self, contrary: self._sample(ONE - contrary), wrong=EXPECTED,
        text="1 - P",
    )
    drops = sum_handler("counters", text="packets that did not leave by output 0")

    @read_handler("config")
    def read_config(self) -> str:
        """the current arguments."""
        return f"SAMPLE {PROBABILITY.unparse(self.state.vars.sampled)}, ACTIVE {Bool().unparse(self.state.vars.active)}"
