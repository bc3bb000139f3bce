from clickbpf.declare import Element


class SetNoAck(Element):
    """sets that packets need no acknowledgement

    Sets the flag TX_NOACK in the annotation WIFI_EXTRA, for RadiotapEncap and ExtraEncap.

    Example: FromDevice(eth0) -> WifiEncap(0) -> SetNoAck -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

    annotations = ("WIFI_EXTRA",)
