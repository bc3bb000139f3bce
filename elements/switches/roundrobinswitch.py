from clickbpf.declare import (
    ANEW, KEPT, PUSH, ArgError, Element, Held, Integer, Keyword, Optional, Raw, Vars, u32, value_handlers,
)


class RoundRobinSwitch(Element, ports="1/1-", processing=PUSH):
    """sends packets to its outputs in turn

    The first packet leaves by output 0, the next one by output 1, and so on; output 0 follows the last output. If several CPUs push
    packets at the same time, some of these may leave by the same output.

    Example:

        FromDevice(eth0) -> s :: RoundRobinSwitch;
        s[0] -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth2);
    """

    same_form = True
    args = (
        Optional("MAX", Integer(32, signed=True), -1, "use only the first MAX outputs; all if negative, as by default"),
        Keyword("SPLITBATCH", Raw(), text="accepted, of no effect: packets aren't sent in batches"),
    )
    state_types = {"vars": Vars(next=u32, most=u32)}
    holds = (Held("whose turn it is", ANEW, KEPT),)

    def configure(self) -> None:
        self._most = self._outputs(self.cfg.max)

    def _outputs(self, number: int) -> int:
        if number == 0 or number > self.noutputs:
            raise ArgError(f"bad number of outputs {number}", f"there are {self.noutputs}", argument="MAX")
        return number if number > 0 else self.noutputs

    def initialise(self) -> None:
        self.state.vars.most = self._most

    def _set_most(self, wanted: int) -> None:
        self.state.vars.most = self._outputs(wanted)

    max = value_handlers(Integer(32, signed=True), lambda self: self.state.vars.most, _set_most, text="MAX")
