from __future__ import annotations

from clickbpf.args import Anno, Optional
from clickbpf.vocabulary.annotations import ANNOTATIONS
from clickbpf.vocabulary.element import PUSH, Element


class PaintRR(Element):
    """spreads packets over its outputs by their paint annotation

    Synopsis: `PaintRR([ANNO])`

    A class of FastClick. A packet of colour K leaves by output K modulo the number of outputs. So unlike in PaintSwitch each colour has an
    output.

    Arguments:

      - ANNO: an annotation of one byte, by name or offset. Default PAINT.

    Ports: one push input, one or more push outputs.

    Example:

        FromDevice(eth0) -> Paint(7) -> s :: PaintRR;
        s[0] -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth2);
    """

    bears_offloads = True
    ports = "1/1-"
    processing = PUSH
    args = (Optional("ANNO", Anno(1), ANNOTATIONS["PAINT"][0]),)
    weight = 15
