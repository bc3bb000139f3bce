from __future__ import annotations

from clickbpf.args import Integer, Keyword, Optional
from clickbpf.vocabulary.element import Element, field_handlers
from clickbpf.vocabulary.state import Vars, u32

from ._extra import Line

RATE, TRIES = Line(32, high=0x7FFFFFFF), Line(32, low=1, high=0x7FFFFFFF)
#: What drivers do by themselves.
USUAL_TRIES = 12


class SetTXRate(Element):
    """sets the rate that packets are to be sent at

    Synopsis: `SetTXRate([RATE, TRIES ..., ETHTYPE ..., OFFSET ...])`

    Sets rate and number of tries in the annotation WIFI_EXTRA, for RadiotapEncap and ExtraEncap.

    Arguments:

      - RATE: the rate in units of 500 kbit/s: 2 is 1 Mbit/s, 11 is 5.5 Mbit/s. Default, and the meaning of 0, is 2.
      - TRIES: how often a packet is sent at most until it is acknowledged. Default is 12.
      - ETHTYPE: an Ethernet type: other packets stay as they are. Default, and the meaning of 0, is all.
      - OFFSET: where the Ethernet header begins, for ETHTYPE. Default is 0.

    Ports: one input, one output.

    Handlers:

      - `rate`, `tries` (read, write): the arguments.

    Example:

        FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

    reconfigurable = True
    annotations = ("WIFI_EXTRA",)
    args = (
        Optional("RATE", RATE, 0),
        Keyword("TRIES", TRIES, USUAL_TRIES),
        Keyword("ETHTYPE", Integer(16), 0),
        Keyword("OFFSET", Integer(16), 0),
    )
    state_types = {"vars": Vars(rate=u32, tries=u32)}

    rate = field_handlers("vars", RATE)
    tries = field_handlers("vars", Line(32))
