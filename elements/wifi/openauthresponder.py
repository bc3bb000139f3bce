from clickbpf.declare import RequiredKeyword

from ._info import WIRELESS_INFO
from ._management import DEBUG, Manager


class OpenAuthResponder(Manager):
    """authenticates stations at an access point

    Answers each request for open system authentication, which has no credentials (IEEE 802.11, 12.3.3.2), by a successful response.
    Other frames are dropped.

    Example:

        here :: WirelessInfo(SSID home, BSSID 02:00:00:00:00:01, CHANNEL 6);
        FromDevice(eth0) -> RadiotapDecap -> Classifier(0/b0%f0)
            -> OpenAuthResponder(WIRELESS_INFO here) -> RadiotapEncap -> Queue -> ToDevice(eth0);
    """

    args = (DEBUG, RequiredKeyword("WIRELESS_INFO", WIRELESS_INFO.type, "the WirelessInfo that describes the network"))
