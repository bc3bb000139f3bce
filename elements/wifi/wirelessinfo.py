from clickbpf.declare import USER, Bool, Ether, EtherAddress, Integer, Keyword, String, field_handlers, write_handler

from ._extra import EtherLine, FlagLine, Line
from ._info import INFO, Named, structures

NO_CHANNEL, USUAL_INTERVAL = -1, 100
INTERVAL = Line(32, signed=True, low=1)


class WirelessInfo(Named, ports="0/0", runs=USER):
    """says which wireless network this is

    Elements with its name in their argument WIRELESS_INFO use its current values.

    Example:

        here :: WirelessInfo(SSID home, BSSID 02:00:00:00:00:01, CHANNEL 6);
        Idle -> OpenAuthResponder(WIRELESS_INFO here) -> Queue -> ToDevice(eth0);
    """

    headers = {"wifiinfo.h": structures}
    args = (
        Keyword("SSID", String(), "", "the network's name, up to 32 bytes. Default is none"),
        Keyword("BSSID", EtherAddress(), Ether(6), "its access point's Ethernet address. Default is 00:00:00:00:00:00"),
        Keyword("CHANNEL", Integer(32, signed=True), NO_CHANNEL, "its channel"),
        Keyword("INTERVAL", INTERVAL, USUAL_INTERVAL, "the time from one beacon to the next, in milliseconds. Default is "
            "100", setting="info"),
        Keyword("WEP", Bool(), False, "whether its frames are encrypted (WepEncap)"),
    )
    state_types = {"info": INFO}
    holds = ()
    named = "info"

    bssid = field_handlers("info", EtherLine())
    channel = field_handlers("info", Line(32, signed=True))
    wep = field_handlers("info", FlagLine())

    @write_handler
    def reset(self, text: str) -> None:
        """sets all arguments to their defaults."""
        self.state.info.clear()
        self.state.info.channel, self.state.info.interval = NO_CHANNEL, USUAL_INTERVAL
