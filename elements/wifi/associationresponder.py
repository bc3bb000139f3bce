from clickbpf.declare import ANEW, Held, Private, RequiredKeyword, u16, u32

from ._info import WIRELESS_INFO
from ._management import DEBUG, RT, Manager


class AssociationResponder(Manager):
    """lets stations associate with an access point

    Answers association requests by a successful response (IEEE 802.11, 9.3.3.6) with the next association ID, unless the request is
    for a network with another name. Other frames are dropped. The first 100 requests are reported on standard error; with DEBUG
    all requests and answers.

    Example:

        here :: WirelessInfo(SSID home, BSSID 02:00:00:00:00:01, CHANNEL 6);
        rates :: AvailableRates(DEFAULT 2 4 11 22);
        FromDevice(eth0) -> RadiotapDecap -> Classifier(0/00%f0)
            -> AssociationResponder(WIRELESS_INFO here, RT rates) -> RadiotapEncap -> Queue -> ToDevice(eth0);
    """

    args = (DEBUG, WIRELESS_INFO, RequiredKeyword("RT", RT.type, "the AvailableRates with the rates of stations"))
    state_types = {**Manager.state_types, "associations": Private(reported=u32, next=u16)}
    holds = (Held("associations", ANEW, ANEW),)
