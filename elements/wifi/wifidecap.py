"""WifiDecap: frames of wireless networks become Ethernet's."""

from __future__ import annotations

from clickbpf.args import Bool, Keyword
from clickbpf.vocabulary.element import Element


class WifiDecap(Element):
    """turns 802.11 frames into Ethernet frames

    Synopsis: `WifiDecap([STRICT ..., ETHER ...])`

    Takes the 802.11 header, of 24 to 32 bytes, and the LLC and SNAP headers off a data frame, and puts an Ethernet header on:
    destination and source, wherever the frame has them, and the type. That header becomes the MAC header. Frames that are
    too short, or encrypted, are dropped. If the annotation WIFI_EXTRA says that the header is padded (RadiotapDecap), it takes a multiple
    of four bytes. (Click's element takes receiver and transmitter for destination and source of frames
    with four addresses.)

    Arguments:

      - STRICT: Boolean. Drop frames without the LLC and SNAP headers of RFC 1042. Default is false.
      - ETHER: Boolean. If false, no Ethernet header is put on. Default is true.
      - DEBUG: Boolean. Means nothing.

    Ports: one input, one output.

    Example:

        FromDump(monitor.pcap, STOP true) -> WifiDecap -> Queue -> ToDevice(eth1);
    """

    args = (Keyword("DEBUG", Bool(), False), Keyword("STRICT", Bool(), False), Keyword("ETHER", Bool(), True))
    weight = 120
