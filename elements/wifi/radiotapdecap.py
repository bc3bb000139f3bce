from __future__ import annotations

from clickbpf.vocabulary.element import USER

from ._extra import Debugged


class RadiotapDecap(Debugged):
    """takes radiotap headers off 802.11 frames

    Synopsis: `RadiotapDecap([DEBUG ...])`

    Takes the radiotap header off, and makes the annotation WIFI_EXTRA of it: rate, signal and noise, whether the frame was sent or
    received, and with what success. A frame's checksum is cut off, if the header says that it has one. The frame's start becomes
    the MAC header. Packets that don't begin with a radiotap header of version 0 that is complete pass as they are.

    Arguments:

      - DEBUG: Boolean. Means nothing.

    Ports: one input, one output.

    Handlers: `debug` (read, write): DEBUG.

    Example:

        FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> FilterTX -> WifiDupeFilter -> WifiDecap -> Discard;
    """

    runs = USER
    annotations = ("WIFI_EXTRA",)
