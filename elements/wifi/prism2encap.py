from __future__ import annotations

from clickbpf.vocabulary.element import USER

from ._extra import Debugged


class Prism2Encap(Debugged):
    """puts linux-wlan-ng's headers on 802.11 frames

    Synopsis: `Prism2Encap([DEBUG ...])`

    Puts a header of 144 bytes on, as linux-wlan-ng did: it says that the frame was sent, its length, and signal strength and rate as the
    annotation WIFI_EXTRA has them.

    Arguments:

      - DEBUG: Boolean. Means nothing.

    Ports: one input, one output.

    Handlers: `debug` (read, write): DEBUG.

    Example:

        FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> Prism2Encap -> ToDump(out.pcap, ENCAP 802_11);
    """

    runs = USER
