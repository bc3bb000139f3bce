from __future__ import annotations

from clickbpf.args import Anno, Optional
from clickbpf.vocabulary.element import USER, Element


class UnstripAnno(Element):
    """adds the number of bytes in an annotation at the start of packets

    Synopsis: `UnstripAnno([ANNO])`

    A class of FastClick. Bytes that were removed come back as they were; others have no particular value.

    Arguments:

      - ANNO: an annotation of two bytes, the number of bytes. Default is that at offset 16, where Search counts what it removes.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> Search("\\r\\n\\r\\n") -> Print -> UnstripAnno -> Queue -> ToDevice(eth1);
    """

    runs = USER
    args = (Optional("ANNO", Anno(2), 16),)
