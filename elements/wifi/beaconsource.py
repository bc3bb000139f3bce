from clickbpf.declare import RequiredKeyword

from ._info import WIRELESS_INFO
from ._management import DEBUG, RT, Manager


class BeaconSource(Manager):
    """sends the beacons of an access point, and answers probes

    Sends a beacon (IEEE 802.11, 9.3.3.2) every interval, and answers probe requests, unless they are for a network with another
    name. Other frames are dropped. The rates are those of the network's BSSID in RT.

    Example:

        here :: WirelessInfo(SSID home, BSSID 02:00:00:00:00:01, CHANNEL 6);
        rates :: AvailableRates(DEFAULT 2 4 11 22);
        FromDevice(eth0) -> RadiotapDecap -> Classifier(0/40%f0)
            -> BeaconSource(WIRELESS_INFO here, RT rates) -> RadiotapEncap -> Queue -> ToDevice(eth0);
    """

    #: Beacons leave whether or not anything arrives.
    flow = "x/y"
    args = (
        DEBUG,
        RequiredKeyword("WIRELESS_INFO", WIRELESS_INFO.type, "the WirelessInfo that describes the network"),
        RequiredKeyword("RT", RT.type, "the AvailableRates with the rates of stations"),
    )
