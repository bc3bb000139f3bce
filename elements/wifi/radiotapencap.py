from __future__ import annotations

from ._extra import Debugged


class RadiotapEncap(Debugged):
    """puts radiotap headers on 802.11 frames

    Synopsis: `RadiotapEncap([DEBUG ...])`

    Puts a radiotap header of 14 bytes on: rate, power, TX flags and number of retries, as the annotation WIFI_EXTRA has them
    (SetTXRate, SetTXPower, SetNoAck). Retries are 12 where it says nothing.

    Arguments:

      - DEBUG: Boolean. Means nothing.

    Ports: one input, one output.

    Handlers: `debug` (read, write): DEBUG.

    Example:

        FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

