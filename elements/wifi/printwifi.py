from clickbpf.declare import NONE, Bool, Keyword

from ..common._lines import LinePrinter


class PrintWifi(LinePrinter, traits=NONE):
    """prints the contents of 802.11 frames

    Prints a line for every frame, on standard error: LABEL and a colon, the frame's length, rate, signal strength and noise from
    the annotation WIFI_EXTRA, the frame's type and contents, its addresses and its sequence number. Packets have to begin with the
    802.11 header, as after RadiotapDecap, Prism2Decap or ExtraDecap.

          57 |  1Mb +40/ 0 | mgmt beacon 02-00-00-00-00-01 home chan 6 b_int 100 [ ESS ] ({2 4} 11 22)
          34 | 11Mb +40/ 0 | data tods 02-00-00-00-00-01 02-00-00-00-00-02 02-00-00-00-00-03 seq 7 [ retry ]

    Rates of a network are in units of 500 kbit/s, with basic rates in braces. Unprintable characters of a network's name are dots.

    Example: FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> PrintWifi(seen) -> Discard;
    """

    args = tuple(argument if argument.name != "TIMESTAMP" else Keyword("TIMESTAMP", Bool(), False, "whether to print the packet's "
        "timestamp, in seconds since 1970") for argument in LinePrinter.args)

    def shown(self) -> None:
        """None: it needs an annotation that the copies for such elements lack."""
