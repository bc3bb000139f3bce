from clickbpf.declare import NONE, Bool, Keyword

from ..common._lines import LinePrinter


class PrintWifi(LinePrinter, traits=NONE):
    """prints the contents of 802.11 frames

    Prints a line for every frame, on standard error: LABEL and a colon, the frame's length, what the annotation WIFI_EXTRA says of rate,
    signal strength and noise, the frame's kind and what is in it, its addresses and sequence number. Packets begin with the
    802.11 header: RadiotapDecap, Prism2Decap or ExtraDecap come before.

          57 |  1Mb +40/ 0 | mgmt beacon 02-00-00-00-00-01 home chan 6 b_int 100 [ ESS ] ({2 4} 11 22)
          34 | 11Mb +40/ 0 | data tods 02-00-00-00-00-01 02-00-00-00-00-02 02-00-00-00-00-03 seq 7 [ retry ]

    Rates of a network are in units of 500 kbit/s, those in braces its basic ones. Characters of a network's name that can't be
    printed are dots.

    Example:

        FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> PrintWifi(seen) -> Discard;
    """

    args = tuple(argument if argument.name != "TIMESTAMP" else Keyword("TIMESTAMP", Bool(), False, "whether to print the time, in seconds "
        "since 1970") for argument in LinePrinter.args)

    def shown(self) -> None:
        """It needs an annotation that copies for elements which only look don't have."""
