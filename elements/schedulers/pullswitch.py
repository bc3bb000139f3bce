"""PullSwitch: pulls from one input, which can be chosen."""

from __future__ import annotations

from clickbpf.args import ArgError, Integer, Optional
from clickbpf.element import read_handler, write_handler
from clickbpf.state import Private, s32

from ._inputs import Scheduler


class PullSwitch(Scheduler):
    """pulls from one input, which handlers can change

    Synopsis: `PullSwitch([INPUT])`

    Every pull is passed on to input INPUT. If there is no such input, no pull finds a packet. Whoever pulls from it
    sleeps while that input is empty.

    Arguments:

      - INPUT: Integer. Default is 0.

    Ports: any number of pull inputs, one pull output.

    Handlers:

      - `switch` (read, write), `config` (read): INPUT; -1 where there is no such input.

    Example:

        FromDevice(eth0) -> Queue -> [0]s :: PullSwitch(1);
        FromDevice(eth1) -> Queue -> [1]s;
        s -> ToDevice(eth2);
    """

    entries = ("pull", "control")
    aliases = ("SimplePullSwitch",)
    args = (Optional("INPUT", Integer(32, signed=True), 0),)
    state_types = {"selection": Private(input=s32)}

    def initialise(self) -> None:
        self._select(self.cfg.input)

    def _select(self, input: int) -> None:
        self.state.selection.input = input if 0 <= input < self.ninputs else -1

    @read_handler("switch")
    def read_switch(self) -> str:
        return str(self.state.selection.input)

    @read_handler("config")
    def read_config(self) -> str:
        return self.read_switch()

    @write_handler("switch")
    def write_switch(self, text: str) -> None:
        try:
            self._select(Integer(32, signed=True).parse(text.strip()))
        except ArgError as error:
            raise ArgError("syntax error", error.message) from None
        if self.runtime is not None:
            self.runtime.control(0)
