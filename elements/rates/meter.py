from ._meter import MeterElement


class Meter(MeterElement):
    """sends packets to an output according to their present rate

    Synopsis: `Meter(RATE1, RATE2, ..., RATEn)`

    Measures packets per second, averaged over the last few dozen milliseconds. At a rate below RATE1, all packets leave by output
    0; below RATE2, by output 1, and so on; from RATEn on, by output n. To let RATE pass and divert only the excess, use
    RatedSplitter.

    Arguments:

      - RATE: packets per second, up to 4194303, each greater than the one before.

    Ports: one push input; a push output for each RATE and one more.

    Handlers:

      - `rate` (read): packets per second at present.
      - `meters` (read): the rates as stored, without separators.

    Example:

        FromDevice(eth0) -> m :: Meter(10000) -> Queue -> ToDevice(eth1);
        m[1] -> Discard;
    """

    has_units = False
