from __future__ import annotations

from clickbpf.args import Bool, Optional
from clickbpf.vocabulary.element import Element, sum_handler
from clickbpf.vocabulary.forms import MARKED
from clickbpf.vocabulary.state import PerThread, u64


class MarkIPCE(Element):
    """marks IP packets as having met congestion

    Synopsis: `MarkIPCE([FORCE])`

    Sets the ECN field to Congestion Experienced (RFC 3168, section 5) and updates the header's checksum. A packet whose
    sender doesn't know ECN, its field being 0, is dropped, as is one without a marked IP header.

    Arguments:

      - FORCE: true to mark them as well. Default false.

    Ports: one input, one output.

    Handlers:

      - `drops` (read): packets dropped because they were not capable of ECN.

    Example: one packet out of ten is marked:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> s :: RandomSample(DROP 0.1) -> Discard;
        s[1] -> MarkIPCE -> Discard;
    """

    takes = (MARKED,)
    bears_offloads = True
    args = (Optional("FORCE", Bool(), False),)
    state_types = {"counters": PerThread(drops=u64)}
    weight = 35

    drops = sum_handler("counters")
