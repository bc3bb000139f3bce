from ._extra import Debugged


class ExtraEncap(Debugged):
    """puts the annotation WIFI_EXTRA in front of packets

    Puts the 24 bytes of the annotation in front, in the machine's byte order; the first four are the header's magic number,
    0x7492001, whether the annotation has it or not.

    Example:

        FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> ExtraEncap -> ToDump(out.pcap);
    """
