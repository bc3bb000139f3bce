from clickbpf.declare import Integer, Keyword, Optional, Reconfigurable, Vars, field_handlers, u32

from ._extra import Line

RATE, TRIES = Line(32, high=0x7FFFFFFF), Line(32, low=1, high=0x7FFFFFFF)
#: Drivers' own default.
USUAL_TRIES = 12


class SetTXRate(Reconfigurable):
    """sets the rate that packets are to be sent at

    Sets rate and number of tries in the annotation WIFI_EXTRA, for RadiotapEncap and ExtraEncap.

    Example: FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

    annotations = ("WIFI_EXTRA",)
    args = (
        Optional("RATE", RATE, 0, "the rate in units of 500 kbit/s: 2 is 1 Mbit/s, 11 is 5.5 Mbit/s. Default, and the meaning of 0, is "
            "2", setting="vars"),
        Keyword("TRIES", TRIES, USUAL_TRIES, "the most tries to send a packet until it is acknowledged. Default is 12"),
        Keyword("ETHTYPE", Integer(16), 0, "an Ethernet type: other packets pass unchanged. Default, and the meaning of 0, is all"),
        Keyword("OFFSET", Integer(16), 0, "the offset of the Ethernet header, for ETHTYPE"),
    )
    state_types = {"vars": Vars(rate=u32, tries=u32)}

    tries = field_handlers("vars", Line(32))
