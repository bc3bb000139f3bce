from clickbpf.declare import USER, Companion, Optional, Required, Vars, ether, u8

from ._extra import DEBUG, Debugged, EtherLine, Line
from ._info import WIRELESS_INFO, structures

MODE = Line(8, high=3)


class WifiEncap(Companion, Debugged):
    """turns Ethernet frames into 802.11 frames

    Replaces the Ethernet header by the header of an 802.11 data frame and LLC and SNAP headers (RFC 1042). Frames of fewer than
    14 bytes are dropped. (With MODE 3, Click's element writes only three of the four addresses that such a frame needs.)

    Arguments:

      - WIRELESS_INFO: the WirelessInfo whose BSSID is used instead; packets are then left to the runtime.

    Example: FromDevice(eth0) -> WifiEncap(1, 02:00:00:00:00:01) -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("MODE", MODE, "who sends to whom: 0 a station to a station, 1 a station to an access point, 2 an access point to a "
            "station, 3 an access point to another one; with 3 the BSSID is the receiver, and the Ethernet source is also the transmitter",
            setting="vars"),
        Optional("BSSID", EtherLine(), None, "Ethernet address, usually the access point's. Default is "
            "00:00:00:00:00:00", setting="vars"),
        DEBUG,
        WIRELESS_INFO,
    )
    state_types = {**Debugged.state_types, "vars": Vars(bssid=ether, mode=u8)}
    headers = {"wifiinfo.h": structures}
    weight = 90

    def configure(self) -> None:
        if self.cfg.wireless_info is not None:
            self.runs = USER

