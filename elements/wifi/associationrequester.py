from clickbpf.declare import ANEW, Held, RequiredKeyword, Vars, control_handler, ether, read_handler, u8

from ._info import WIRELESS_INFO
from ._management import DEBUG, ETH, RT, Requester


class AssociationRequester(Requester):
    """associates a station with an access point

    Sends an association request (IEEE 802.11, 9.3.3.5) when its handler is called. A successful response, from any access point,
    makes the station associated; its rates are entered into RT. A disassociation by this network's access point, or another
    request, ends the association. Arriving frames are consumed.

    Ports: one push input, for association responses and disassociations; one push output.

    Example:

        there :: WirelessInfo(SSID home, BSSID 02:00:00:00:00:01);
        rates :: AvailableRates(DEFAULT 2 4 11 22);
        FromDevice(eth0) -> RadiotapDecap -> c :: Classifier(0/10%f0, 0/a0%f0);
        c[0] -> joins :: AssociationRequester(ETH 02:00:00:00:00:02, WIRELESS_INFO there, RT rates)
            -> RadiotapEncap -> Queue -> ToDevice(eth0);
        c[1] -> joins;
        Script(wait 1s, write joins.send_assoc_req);
    """

    args = (DEBUG, ETH, WIRELESS_INFO, RequiredKeyword("RT", RT.type, "the AvailableRates with the rates of stations"))
    state_types = {"vars": Vars(eth=ether, debug=u8, associated=u8)}
    holds = (Held("the association", ANEW, ANEW),)

    send_assoc_req = control_handler(text="sends a request")
    associated = read_handler(lambda self: "true\n" if self.state.vars.associated else "false\n", text="whether the station is associated.")
