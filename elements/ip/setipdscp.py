"""SetIPDSCP: how a packet wants to be treated."""

from __future__ import annotations

from clickbpf.args import Integer, Required
from clickbpf.vocabulary.element import Element, field_handlers
from clickbpf.vocabulary.state import Vars, u8

DSCP = Integer(8, high=63)


class SetIPDSCP(Element):
    """sets the DSCP field of IP packets

    Synopsis: `SetIPDSCP(DSCP)`

    The differentiated services code point (RFC 2474) is the upper 6 bits of the TOS byte; the header's checksum is updated.
    A packet without a marked IP header (CheckIPHeader, MarkIPHeader) is dropped.

    Arguments:

      - DSCP: 0 to 63.

    Ports: one input, one output.

    Handlers:

      - `dscp` (read, write): the argument.

    Example: expedited forwarding:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> SetIPDSCP(46) -> Discard;
    """

    bears_offloads = True
    reconfigurable = True
    args = (Required("DSCP", DSCP),)
    state_types = {"vars": Vars(dscp=u8)}
    weight = 30

    def initialise(self) -> None:
        self.state.vars.dscp = self.cfg.dscp

    dscp = field_handlers("vars", DSCP)
