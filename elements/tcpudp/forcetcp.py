from __future__ import annotations

from clickbpf.args import Bool, Integer, IPPort, Optional
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.state import Vars, u32


class ForceTCP(Element):
    """makes the contents of IP packets look like TCP

    Synopsis: `ForceTCP([DPORT, RANDOM_DPORT, FLAGS])`

    For tests: noise becomes TCP segments that are right as far as a receiver can tell. The packet's IP header has to be
    marked (MarkIPHeader, ForceIP). A data offset that can't be is replaced by one drawn at random of those that can, from
    20 bytes to the whole segment, and the checksum is computed. Packets whose IP header has wrong lengths, or no room for 20
    bytes after it, are dropped; the runtime says so on standard error.

    Headers with IP options, wrong data offsets, and segments of more than 4095 bytes are left to the runtime. (Click's element
    adds IP options to the checksum, and its data offsets may be less than 20 bytes.)

    Arguments:

      - DPORT: the destination port, by number or name; 0 leaves it as it is. Default 0.
      - RANDOM_DPORT: true to change destination ports if DPORT is 0: of each eight packets in a row, the first two get port 80
        and the fourth one a random port below 1024. Default false.
      - FLAGS: the eight flags, a number; -1 leaves them as they are. Default -1.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> ForceTCP(80, false, 2) -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    args = (
        Optional("DPORT", IPPort(6), 0),
        Optional("RANDOM_DPORT", Bool(), False),
        Optional("FLAGS", Integer(32, signed=True), -1),
    )
    state_types = {"vars": Vars(turn=u32)}
    holds = ()
    weight = 350
