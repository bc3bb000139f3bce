from clickbpf.declare import ArgError, Ether, EtherAddress, Integer, Keyword, RequiredKeyword, String, Vars, field_handlers, u8

from ._extra import EtherLine, Line
from ._info import FIELDS, Named
from ._management import DEBUG, RT, Manager


class ProbeResponder(Named, Manager):
    """answers probes for an access point

    Synopsis: `ProbeResponder(SSID ..., BSSID ..., CHANNEL ..., INTERVAL ..., RT ... [, DEBUG ...])`

    Answers probe requests (IEEE 802.11, 9.3.3.10), unless they are for a network with another name. Other frames are dropped.
    BeaconSource does the same, and sends beacons; its frames have all rates, in the format of newer standards.

    Example:

        rates :: AvailableRates(DEFAULT 2 4 11 22);
        FromDevice(eth0) -> RadiotapDecap -> Classifier(0/40%f0)
            -> ProbeResponder(SSID home, BSSID 02:00:00:00:00:01, CHANNEL 6, INTERVAL 100, RT rates)
            -> RadiotapEncap -> Queue -> ToDevice(eth0);
    """

    args = (
        DEBUG,
        Keyword("CHANNEL", Integer(32, signed=True), 0, "its channel"),
        Keyword("SSID", String(), "", "the network's name, up to 32 bytes. Default is none"),
        Keyword("BSSID", EtherAddress(), Ether(6), "the access point's Ethernet address. Default is 00:00:00:00:00:00"),
        Keyword("INTERVAL", Integer(32, signed=True), 0, "the time from one beacon to the next, in milliseconds"),
        RequiredKeyword("RT", RT.type, "the AvailableRates with the rates of stations. The first 15 rates of BSSID are sent"),
    )
    state_types = {"vars": Vars(**FIELDS, debug=u8)}
    holds = ()
    named = "vars"

    def configure(self) -> None:
        super().configure()
        if self.cfg.interval <= 0:
            raise ArgError("INTERVAL must be >0", argument="INTERVAL")

    bssid = field_handlers("vars", EtherLine())
    channel = field_handlers("vars", Line(32, signed=True))
    interval = field_handlers("vars", Line(32, signed=True))
