from __future__ import annotations

from clickbpf.args import Bool, EtherAddress, Integer, Keyword, Optional, Required
from clickbpf.vocabulary.element import Element, field_handlers
from clickbpf.vocabulary.state import Vars, ether


class HostEtherFilter(Element):
    """drops Ethernet frames for other hosts

    Synopsis: `HostEtherFilter(ETHER [, DROP_OWN, DROP_OTHER, OFFSET ...])`

    Does what a network card with the address ETHER does, for frames that came here by other means. Frames for ETHER,
    broadcasts and multicasts pass, and their packet type annotation is set to HOST, BROADCAST or MULTICAST. Others are
    OTHERHOST. Frames that don't pass leave by output 1, or are dropped if that is not there. Frames shorter than an
    Ethernet header is dropped.

    Arguments:

      - ETHER: an Ethernet address.
      - DROP_OWN: whether to filter frames that come from ETHER, whatever their destination. Default false.
      - DROP_OTHER: whether to filter frames for other hosts. Default true.
      - OFFSET: bytes in front of the Ethernet header. Default 0.

    Ports: one input; output 0, and push output 1 (may be missing) for filtered packets.

    Handlers:

      - `ether` (read, write): ETHER.

    Example:

        FromDevice(eth0, PROMISC true) -> HostEtherFilter(02:00:00:00:00:01, DROP_OWN true) -> Discard;
    """

    bears_offloads = True
    ports = "1/1-2"
    processing = "a/ah"
    reconfigurable = True
    args = (
        Required("ETHER", EtherAddress()),
        Optional("DROP_OWN", Bool(), False),
        Optional("DROP_OTHER", Bool(), True),
        Keyword("OFFSET", Integer(), 0),
    )
    state_types = {"vars": Vars(ether=ether)}
    weight = 50

    def initialise(self) -> None:
        self.state.vars.ether[:] = self.cfg.ether

    ether = field_handlers("vars", EtherAddress())
