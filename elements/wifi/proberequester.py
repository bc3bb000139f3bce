from clickbpf.declare import control_handler

from ._info import WIRELESS_INFO
from ._management import DEBUG, ETH, RT, Requester


class ProbeRequester(Requester, ports="0/1"):
    """asks which access points there are

    Broadcasts a probe request (IEEE 802.11, 9.3.3.9) when its handler is called: for the network of WIRELESS_INFO, or for any if it
    has no name. The request has RT's rates for ETH.

    Example:

        rates :: AvailableRates(DEFAULT 2 4 11 22);
        asks :: ProbeRequester(ETH 02:00:00:00:00:02, RT rates) -> RadiotapEncap -> Queue -> ToDevice(eth0);
        Script(wait 1s, write asks.send_probe);
    """

    args = (DEBUG, WIRELESS_INFO, ETH, RT)

    send_probe = control_handler(text="sends a request")
