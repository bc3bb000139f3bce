from ._extra import Debugged


class ExtraEncap(Debugged):
    """puts the annotation WIFI_EXTRA in front of packets

    Prepends the 24 bytes of the annotation, in host byte order; the first four become the header's magic number, 0x7492001, even if
    the annotation lacks it.

    Example: FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> ExtraEncap -> ToDump(out.pcap);
    """
