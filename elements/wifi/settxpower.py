from clickbpf.declare import Optional, Reconfigurable

from ._extra import Line

POWER = Line(32)


class SetTXPower(Reconfigurable):
    """sets the power that packets are to be sent with

    Sets the power in the annotation WIFI_EXTRA, for RadiotapEncap and ExtraEncap.

    Example: FromDevice(eth0) -> SetTXPower(20) -> WifiEncap(0) -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

    annotations = ("WIFI_EXTRA",)
    args = (
        Optional("POWER", POWER, 0, "a number, in the device's unit; only its low 8 bits are used. Default is 0", setting="vars"),
    )
