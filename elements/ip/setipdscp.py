from __future__ import annotations

from clickbpf.args import Integer, Required
from clickbpf.vocabulary.element import Element, field_handlers
from clickbpf.vocabulary.forms import MARKED
from clickbpf.vocabulary.state import Vars, u8

DSCP = Integer(8, high=63)

#: The manual pages of the class for each version of IP.
MANUAL = """sets the DSCP field of {protocol} packets

    Synopsis: `{name}(DSCP)`

    The differentiated services code point (RFC 2474) is the upper 6 bits of the {field}.
    A packet without a marked {protocol} header (Check{ip}Header, Mark{ip}Header) is dropped.

    Arguments:

      - DSCP: 0 to 63.

    Ports: one input, one output.

    Handlers:

      - `dscp` (read, write): the argument.

    Example: expedited forwarding:

        FromDevice(eth0) -> Strip(14) -> Check{ip}Header -> {name}(46) -> Discard;
    """


class SetIPDSCP(Element):
    __doc__ = MANUAL.format(name="SetIPDSCP", protocol="IP", ip="IP", field="TOS byte; the header's checksum is updated")
    takes = (MARKED,)
    bears_offloads = True
    reconfigurable = True
    args = (Required("DSCP", DSCP),)
    state_types = {"vars": Vars(dscp=u8)}
    weight = 30

    dscp = field_handlers("vars", DSCP)
