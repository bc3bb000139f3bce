from __future__ import annotations

from clickbpf.args import Bool, Optional
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.forms import MARKED


class IPMirror(Element):
    """exchanges source and destination of IP packets

    Synopsis: `IPMirror([DST_ANNO])`

    Source and destination address change places; in the first fragment of a TCP or UDP packet the ports do so, too, and in
    TCP sequence and acknowledgement number. Checksums don't mind. A packet too short to have the ports (or the numbers) keeps
    them; one without a marked IP header (CheckIPHeader, MarkIPHeader) is dropped.

    Arguments:

      - DST_ANNO: whether the destination address annotation becomes the new destination. Default true.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPMirror -> Discard;
    """

    takes = (MARKED,)
    args = (Optional("DST_ANNO", Bool(), True),)
    annotations = ("DST_IP",)
    weight = 60
