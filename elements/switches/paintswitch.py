from __future__ import annotations

from collections.abc import Sequence

from clickbpf.args import Anno, Optional
from clickbpf.vocabulary.annotations import ANNOTATIONS
from clickbpf.vocabulary.element import PUSH, Element


class PaintSwitch(Element):
    """sends packets to the output that their paint annotation names

    Synopsis: `PaintSwitch([ANNO])`

    A packet of colour K leaves by output K, or is dropped if there is none. Of a packet of colour 255 every output gets a
    copy; the kernel path makes them under the conditions of Tee, and otherwise hands such packets over.

    Arguments:

      - ANNO: an annotation of one byte, by name or offset. Default PAINT.

    Ports: one push input, any number of push outputs.

    Example: replies go back to where the packets came from:

        FromDevice(eth0) -> Paint(0) -> work :: Null;
        FromDevice(eth1) -> Paint(1) -> work;
        work -> back :: PaintSwitch;
        back[0] -> Queue -> ToDevice(eth0);
        back[1] -> Queue -> ToDevice(eth1);
    """

    bears_offloads = True
    ports = "1/-"
    processing = PUSH
    args = (Optional("ANNO", Anno(1), ANNOTATIONS["PAINT"][0]),)
    weight = 15

    def copies(self) -> Sequence[Sequence[int]]:
        return [range(self.noutputs)]
