from clickbpf.declare import Integer, IPAddress, Optional

from ._udpencap import MANUAL, UDPEncap, arguments


class DynamicUDPIPEncap(UDPEncap):
    __doc__ = MANUAL.format(
        name="DynamicUDPIPEncap",
        summary="puts packets into UDP and IP headers, with ports that change",
    )
    args = (
        *arguments(IPAddress()),
        Optional("INTERVAL", Integer(), 0, "both ports go up by one after this many packets; 0 for never"),
    )
