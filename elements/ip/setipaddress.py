from __future__ import annotations

from clickbpf.args import Anno, IPAddress, Keyword, Required
from clickbpf.vocabulary.element import Element, field_handlers
from clickbpf.vocabulary.state import Vars, be32


class SetIPAddress(Element):
    """sets an annotation to an IP address

    Synopsis: `SetIPAddress(IPADDR, [ANNO ...])`

    Every packet gets the address as its destination address annotation, or as another one.

    Arguments:

      - IPADDR: the address.
      - ANNO: an annotation of 4 bytes. Default DST_IP.

    Ports: one input, one output.

    Handlers:

      - `addr` (read, write): the address.

    Example:

        FromDevice(eth0) -> Strip(14) -> SetIPAddress(10.0.0.254) -> Discard;
    """

    reconfigurable = True
    args = (Required("IPADDR", IPAddress()), Keyword("ANNO", Anno(4), 0))
    state_types = {"vars": Vars(addr=be32)}
    weight = 15

    def initialise(self) -> None:
        self.state.vars.addr = int(self.cfg.ipaddr)

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return ((self.cfg.anno, 4),)

    addr = field_handlers("vars", IPAddress())
