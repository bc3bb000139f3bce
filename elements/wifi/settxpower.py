from __future__ import annotations

from clickbpf.args import Optional
from clickbpf.vocabulary.element import Element, field_handlers
from clickbpf.vocabulary.state import Vars, u32

from ._extra import Line

POWER = Line(32)


class SetTXPower(Element):
    """sets the power that packets are to be sent with

    Synopsis: `SetTXPower([POWER])`

    Sets the power in the annotation WIFI_EXTRA, for RadiotapEncap and ExtraEncap.

    Arguments:

      - POWER: a number, which means what the device takes it for; only its last 8 bits are used. Default is 0.

    Ports: one input, one output.

    Handlers:

      - `power` (read, write): POWER.

    Example:

        FromDevice(eth0) -> SetTXPower(20) -> WifiEncap(0) -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

    reconfigurable = True
    annotations = ("WIFI_EXTRA",)
    args = (Optional("POWER", POWER, 0),)
    state_types = {"vars": Vars(power=u32)}
    weight = 20

    power = field_handlers("vars", POWER)
