from clickbpf.declare import PUSH, ArgError, Keyword, Optional, Reconfigurable, Vars, s32

from ._selection import NUMBER, Selection


class InputSwitch(Reconfigurable, Selection, ports="-/1", processing=PUSH):
    """passes packets from one of its inputs, which may be changed

    Packets from other inputs are dropped.

    Example: `clickbpf write` router `s.switch 1` listens to the other device:

        FromDevice(eth0) -> [0]s :: InputSwitch -> Queue -> ToDevice(eth2);
        FromDevice(eth1) -> [1]s;
    """

    args = (
        Optional("INPUT", NUMBER, text="the input for packets to pass; if negative, none pass. Default 0. As in Click, OUTPUT is another "
            "name for this argument"),
        Keyword("OUTPUT", NUMBER),
    )
    state_types = {"vars": Vars(input=s32)}
    selection, no_number = ("vars", "input"), "InputSwitch input must be integer"

    def configure(self) -> None:
        cfg = self.cfg
        if cfg.input is not None and cfg.output is not None:
            raise ArgError("INPUT and OUTPUT are one argument", argument="OUTPUT")
        cfg.input = next((given for given in (cfg.input, cfg.output) if given is not None), 0)
        if cfg.input >= self.ninputs:
            raise ArgError(f"input must be < {self.ninputs}")

    def initialise(self) -> None:
        self.select(self.cfg.input)
