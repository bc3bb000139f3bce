from __future__ import annotations

from clickbpf.args import RequiredKeyword
from clickbpf.vocabulary.element import control_handler, read_handler
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import Vars, ether, u8

from ._info import WIRELESS_INFO
from ._management import DEBUG, DEBUG_TEXT, ETH, INFO_TEXT, RT, RT_TEXT, Requester, Send


class AssociationRequester(Requester):
    __doc__ = f"""associates a station with an access point

    Synopsis: `AssociationRequester(ETH ..., WIRELESS_INFO ..., RT ... [, DEBUG ...])`

    Sends an association request (IEEE 802.11, 9.3.3.5) when its handler is called. A response that says yes makes the station
    associated, whatever access point it comes from; its rates are entered into RT. A disassociation by this network's access point, or
    another request, ends that. Frames that arrive end here.

    Arguments:

      - ETH: this station's Ethernet address. Default is 00:00:00:00:00:00.
      {INFO_TEXT}
      {RT_TEXT}
      {DEBUG_TEXT}

    Ports: one push input, for association responses and disassociations; one push output.

    Handlers:

      - `send_assoc_req` (write): sends a request.
      - `associated` (read): whether the station is associated.
      - `eth`, `debug` (read, write): the arguments.

    Example:

        there :: WirelessInfo(SSID home, BSSID 02:00:00:00:00:01);
        rates :: AvailableRates(DEFAULT 2 4 11 22);
        FromDevice(eth0) -> RadiotapDecap -> c :: Classifier(0/10%f0, 0/a0%f0);
        c[0] -> joins :: AssociationRequester(ETH 02:00:00:00:00:02, WIRELESS_INFO there, RT rates)
            -> RadiotapEncap -> Queue -> ToDevice(eth0);
        c[1] -> joins;
        Script(wait 1s, write joins.send_assoc_req);
    """

    args = (DEBUG, ETH, WIRELESS_INFO, RequiredKeyword("RT", RT.type))
    state_types = {"vars": Vars(eth=ether, debug=u8, associated=u8)}
    holds = (Held("the association", ANEW, ANEW),)

    send_assoc_req = control_handler(Send.SEND)

    @read_handler
    def associated(self) -> str:
        return "true\n" if self.state.vars.associated else "false\n"
