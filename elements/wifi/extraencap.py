from __future__ import annotations

from clickbpf.args import Bool, Keyword
from clickbpf.vocabulary.element import Element


class ExtraEncap(Element):
    """puts the annotation WIFI_EXTRA in front of packets

    Synopsis: `ExtraEncap([DEBUG ...])`

    Puts the 24 bytes of the annotation in front, in the machine's byte order; the first four are the header's magic number,
    0x7492001, whether the annotation has it or not.

    Arguments:

      - DEBUG: Boolean. Means nothing.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> ExtraEncap -> ToDump(out.pcap);
    """

    args = (Keyword("DEBUG", Bool(), False),)
