from __future__ import annotations

from clickbpf.args import Bool, Keyword
from clickbpf.vocabulary.element import USER, Element


class AthdescEncap(Element):
    """puts descriptors of an Atheros chip on 802.11 frames

    Synopsis: `AthdescEncap([DEBUG ...])`

    Puts a descriptor of 32 bytes on, as the Madwifi driver takes them: power, and rates and numbers of tries, as the annotation WIFI_EXTRA
    has them (SetTXPower, SetTXRate). Rates that an AR5212 doesn't have are 0.

    Arguments:

      - DEBUG: Boolean. Means nothing.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> AthdescEncap -> Queue -> ToDevice(eth1);
    """

    runs = USER
    args = (Keyword("DEBUG", Bool(), False),)
