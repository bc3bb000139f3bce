from clickbpf.declare import Integer, Keyword, Optional, Reconfigurable, Vars, field_handlers, u32

from ._extra import Line

RATE, TRIES = Line(32, high=0x7FFFFFFF), Line(32, low=1, high=0x7FFFFFFF)
#: What drivers do by themselves.
USUAL_TRIES = 12


class SetTXRate(Reconfigurable):
    """sets the rate that packets are to be sent at

    Sets rate and number of tries in the annotation WIFI_EXTRA, for RadiotapEncap and ExtraEncap.

    Example:

        FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

    annotations = ("WIFI_EXTRA",)
    args = (
        Optional("RATE", RATE, 0, "the rate in units of 500 kbit/s: 2 is 1 Mbit/s, 11 is 5.5 Mbit/s. Default, and the meaning of 0, is "
            "2", setting="vars"),
        Keyword("TRIES", TRIES, USUAL_TRIES, "how often a packet is sent at most until it is acknowledged. Default is 12"),
        Keyword("ETHTYPE", Integer(16), 0, "an Ethernet type: other packets stay as they are. Default, and the meaning of 0, is all"),
        Keyword("OFFSET", Integer(16), 0, "where the Ethernet header begins, for ETHTYPE"),
    )
    state_types = {"vars": Vars(rate=u32, tries=u32)}

    tries = field_handlers("vars", Line(32))
