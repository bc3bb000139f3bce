from __future__ import annotations

from clickbpf.args import Bool, Keyword
from clickbpf.vocabulary.element import Element, field_handlers
from clickbpf.vocabulary.state import Vars, u8

from ._extra import FlagLine


class Prism2Decap(Element):
    """takes Prism headers off 802.11 frames

    Synopsis: `Prism2Decap([DEBUG ...])`

    Takes the header of 144 bytes off that linux-wlan-ng and drivers after it put in front of frames (link type 119 of dumps), and makes
    the annotation WIFI_EXTRA say what it says: rate, signal strength, noise, and whether the frame was sent from here. Packets that don't
    begin with such a header pass as they are.

    Arguments:

      - DEBUG: Boolean. Means nothing.

    Ports: one input, one output.

    Handlers: `debug` (read, write): DEBUG.

    Example:

        FromDump(monitor.pcap, STOP true) -> Prism2Decap -> FilterTX -> WifiDupeFilter -> WifiDecap -> Discard;
    """

    annotations = ("WIFI_EXTRA",)
    args = (Keyword("DEBUG", Bool(), False),)
    state_types = {"vars": Vars(debug=u8)}

    debug = field_handlers("vars", FlagLine())
