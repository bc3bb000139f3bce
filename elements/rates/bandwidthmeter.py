from ._meter import MeterElement


class BandwidthMeter(MeterElement):
    """sends packets to an output according to their present bandwidth

    Synopsis: `BandwidthMeter(RATE1, RATE2, ..., RATEn)`

    Measures bytes per second, averaged over the last few dozen milliseconds. At a rate below RATE1, all packets leave by output 0;
    below RATE2, by output 1, and so on; from RATEn on, by output n. To let RATE pass and divert only the excess, use
    BandwidthRatedSplitter.

    Ports: one push input; a push output for each RATE and one more.

    Example:

        FromDevice(eth0) -> m :: BandwidthMeter(20kBps) -> Queue -> ToDevice(eth1);
        m[1] -> Discard;
    """
