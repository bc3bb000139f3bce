from __future__ import annotations

from clickbpf.args import Integer, Optional
from clickbpf.vocabulary.element import USER, Element, field_handlers
from clickbpf.vocabulary.state import Private, s32

BYTES = Integer(signed=True)


class Resize(Element):
    """adds or removes bytes at both ends of packets

    Synopsis: `Resize([HEAD, TAIL])`

    HEAD bytes are added in front of each packet, TAIL bytes after it; negative numbers say how many are removed. A packet
    with fewer bytes is left with none. In front the bytes that were removed before come back, as with Unstrip; others
    have no particular value.

    Arguments:

      - HEAD: bytes to add in front. Default 0.
      - TAIL: bytes to add at the end. Default 0.

    Ports: one input, one output.

    Handlers:

      - `head`, `tail` (read, write): the arguments.

    Example: the frame check sequence that a capture has at the end of each frame is cut off:

        FromDump(with-fcs.pcap) -> Resize(TAIL -4) -> ToDump(without-fcs.pcap);
    """

    runs = USER
    reconfigurable = True
    args = (Optional("HEAD", BYTES, 0), Optional("TAIL", BYTES, 0))
    state_types = {"change": Private(head=s32, tail=s32)}

    head = field_handlers("change", BYTES)
    tail = field_handlers("change", BYTES)
