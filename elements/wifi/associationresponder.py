from __future__ import annotations

from clickbpf.args import RequiredKeyword
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import Private, u16, u32

from ._info import WIRELESS_INFO
from ._management import DEBUG, INFO_TEXT, RT, RT_TEXT, Manager


class AssociationResponder(Manager):
    __doc__ = f"""lets stations associate with an access point

    Synopsis: `AssociationResponder(RT ... [, WIRELESS_INFO ..., DEBUG ...])`

    Answers each association request that arrives by a response (IEEE 802.11, 9.3.3.6) that says yes, with the next number, unless
    the request is for a network with another name. Other frames are dropped. The first 100 requests are reported on standard error.

    Arguments:

      {INFO_TEXT}
      {RT_TEXT}
      - DEBUG: whether to report all requests, and the answers, on standard error. Default is false.

    Ports: one push input, for association requests; one push output.

    Handlers:

      - `debug` (read, write): DEBUG.

    Example:

        here :: WirelessInfo(SSID home, BSSID 02:00:00:00:00:01, CHANNEL 6);
        rates :: AvailableRates(DEFAULT 2 4 11 22);
        FromDevice(eth0) -> RadiotapDecap -> Classifier(0/00%f0)
            -> AssociationResponder(WIRELESS_INFO here, RT rates) -> RadiotapEncap -> Queue -> ToDevice(eth0);
    """

    args = (DEBUG, WIRELESS_INFO, RequiredKeyword("RT", RT.type))
    state_types = {**Manager.state_types, "associations": Private(reported=u32, next=u16)}
    holds = (Held("associations", ANEW, ANEW),)
