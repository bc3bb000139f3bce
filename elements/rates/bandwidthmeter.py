from ._meter import MeterElement


class BandwidthMeter(MeterElement):
    """sends packets to an output according to their present bandwidth

    Synopsis: `BandwidthMeter(RATE1, RATE2, ..., RATEn)`

    Measures the bytes per second, averaged over the last few dozen milliseconds. While they are fewer than RATE1, packets
    leave by output 0, below RATE2 by output 1 and so on, and from RATEn on by output n. All packets go there: to let RATE of
    them pass whatever the rate is, use BandwidthRatedSplitter.

    Ports: one push input; a push output for each RATE and one more.

    Example:

        FromDevice(eth0) -> m :: BandwidthMeter(20kBps) -> Queue -> ToDevice(eth1);
        m[1] -> Discard;
    """
