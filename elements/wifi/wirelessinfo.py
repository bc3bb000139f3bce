from __future__ import annotations

from clickbpf.args import Bool, Ether, EtherAddress, Integer, Keyword, String
from clickbpf.vocabulary.element import USER, field_handlers, write_handler

from ._extra import EtherLine, FlagLine, Line
from ._info import INFO, Named, structures

NO_CHANNEL, USUAL_INTERVAL = -1, 100
INTERVAL = Line(32, signed=True, low=1)


class WirelessInfo(Named):
    """says which wireless network this is

    Synopsis: `WirelessInfo([SSID ..., BSSID ..., CHANNEL ..., INTERVAL ..., WEP ...])`

    Elements that are given its name by their argument WIRELESS_INFO use what it says at that time.

    Arguments:

      - SSID: the network's name, up to 32 bytes. Default is none.
      - BSSID: its access point's Ethernet address. Default is 00:00:00:00:00:00.
      - CHANNEL: its channel. Default is -1.
      - INTERVAL: the time from one beacon to the next, in milliseconds. Default is 100.
      - WEP: whether its frames are encrypted (WepEncap). Default is false.

    Ports: none.

    Handlers:

      - `ssid`, `bssid`, `channel`, `interval`, `wep` (read, write): the arguments.
      - `reset` (write): sets all of them to the defaults.

    Example:

        here :: WirelessInfo(SSID home, BSSID 02:00:00:00:00:01, CHANNEL 6);
        Idle -> OpenAuthResponder(WIRELESS_INFO here) -> Queue -> ToDevice(eth0);
    """

    ports = "0/0"
    runs = USER
    headers = {"wifiinfo.h": structures}
    args = (
        Keyword("SSID", String(), ""),
        Keyword("BSSID", EtherAddress(), Ether(6)),
        Keyword("CHANNEL", Integer(32, signed=True), NO_CHANNEL),
        Keyword("INTERVAL", INTERVAL, USUAL_INTERVAL),
        Keyword("WEP", Bool(), False),
    )
    state_types = {"info": INFO}
    holds = ()
    named = "info"

    bssid = field_handlers("info", EtherLine())
    channel = field_handlers("info", Line(32, signed=True))
    interval = field_handlers("info", INTERVAL)
    wep = field_handlers("info", FlagLine())

    @write_handler
    def reset(self, text: str) -> None:
        self.state.info.clear()
        self.state.info.channel, self.state.info.interval = NO_CHANNEL, USUAL_INTERVAL
