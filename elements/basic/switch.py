"""Switch: packets go where a handler says."""

from __future__ import annotations

import errno
import struct

from clickbpf.args import ArgError, Integer, Optional
from clickbpf.element import PUSH, read_handler, write_handler
from clickbpf.state import Vars, s32

from ._ports import PortElement

#: LLRPCs of <click/llrpc.h>.
GET_SWITCH, SET_SWITCH = 5, 6
#: OUTPUT of a Switch that drops its packets.
NONE = -1


class Switch(PortElement):
    """sends all packets to one of its outputs, which may be changed

    Synopsis: `Switch([OUTPUT])`

    Arguments:

      - OUTPUT: the output that packets leave by; if it is negative, they are dropped. Default 0.

    Ports: one push input, any number of push outputs.

    Handlers:

      - `switch` (read, write): OUTPUT. An output that the Switch does not have is taken for -1.
      - `config` (read): the same.

    Example: `clickbpf write` router `s.switch 1` moves the traffic to the other device:

        FromDevice(eth0) -> s :: Switch;
        s[0] -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth2);
    """

    ports = "1/-"
    processing = PUSH
    args = (Optional("OUTPUT", Integer(signed=True), 0),)
    state_types = {"vars": Vars(output=s32)}
    weight = 15

    def configure(self) -> None:
        if self.cfg.output >= self.noutputs:
            raise ArgError(f"output must be < {self.noutputs}", argument="OUTPUT")

    def initialise(self) -> None:
        self.state.vars.output = self.cfg.output

    @read_handler("switch")
    def read_switch(self) -> str:
        return str(self.state.vars.output)

    @read_handler("config")
    def read_config(self) -> str:
        return self.read_switch()

    @write_handler("switch")
    def write_switch(self, text: str) -> None:
        try:
            output = Integer(signed=True).parse(text.strip())
        except ArgError as error:
            raise ArgError("Switch output must be integer", error.message) from None
        self.state.vars.output = output if output < self.noutputs else NONE

    def llrpc(self, number: int, data: bytes) -> bytes:
        if number == GET_SWITCH:
            return struct.pack("=i", self.state.vars.output)
        if number != SET_SWITCH:
            return super().llrpc(number, data)
        (output,) = struct.unpack("=i", data)
        if output >= self.noutputs:
            raise OSError(errno.EINVAL, "no such output")
        self.state.vars.output = output
        return b""
