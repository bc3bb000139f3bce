from __future__ import annotations

from clickbpf.vocabulary.element import USER

from ._extra import Debugged


class AthdescEncap(Debugged):
    """puts descriptors of an Atheros chip on 802.11 frames

    Synopsis: `AthdescEncap([DEBUG ...])`

    Puts a descriptor of 32 bytes on, as the Madwifi driver takes them: power, and rates and numbers of tries, as the annotation WIFI_EXTRA
    has them (SetTXPower, SetTXRate). Rates that an AR5212 doesn't have are 0.

    Arguments:

      - DEBUG: Boolean. Means nothing.

    Ports: one input, one output.

    Handlers: `debug` (read, write): DEBUG.

    Example:

        FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> AthdescEncap -> Queue -> ToDevice(eth1);
    """

    runs = USER
