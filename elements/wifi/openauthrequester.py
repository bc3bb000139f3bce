from clickbpf.declare import control_handler

from ._info import WIRELESS_INFO
from ._management import DEBUG, ETH, Requester


class OpenAuthRequester(Requester):
    """asks an access point for authentication

    Sends a request for open system authentication, which has no credentials (IEEE 802.11, 12.3.3.2), when its handler is called.
    Arriving frames are consumed.

    Ports: one push input, for authentication frames; one push output.

    Example:

        there :: WirelessInfo(BSSID 02:00:00:00:00:01);
        FromDevice(eth0) -> RadiotapDecap -> Classifier(0/b0%f0)
            -> asks :: OpenAuthRequester(ETH 02:00:00:00:00:02, WIRELESS_INFO there) -> RadiotapEncap -> Queue -> ToDevice(eth0);
        Script(wait 1s, write asks.send_auth_req);
    """

    args = (DEBUG, ETH, WIRELESS_INFO)

    send_auth_req = control_handler(text="sends a request")
