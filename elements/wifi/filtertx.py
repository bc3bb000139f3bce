from ._filter import WifiFilter


class FilterTX(WifiFilter):
    """removes packets that wireless devices show because they have sent them

    Packets with the flag TX in their annotation WIFI_EXTRA, or in front of the frame (ExtraEncap), are what the device itself has
    sent. They leave by output 1, or are dropped if that is not there. RadiotapDecap and ExtraDecap set the annotation.

    Ports: one input; output 0, and push output 1 (may be missing).

    Handlers:

      - `drops` (read): how many packets sent by this device there were.

    Example:

        FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> FilterTX -> WifiDecap -> Discard;
    """

    flag = "TX"
