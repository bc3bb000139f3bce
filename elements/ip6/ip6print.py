from clickbpf.declare import Bool, Integer, Keyword
from clickbpf.vocabulary.looks import length

from ..common._lines import LinePrinter

IP6_HEADER = 40


class IP6Print(LinePrinter):
    """prints the fields of IPv6 headers

    Prints a line for every packet on standard error: LABEL and a colon, and the fields of the IPv6 header. Packets need a network
    header annotation, which CheckIP6Header sets; packets without one aren't printed.

        eth0: 2001:db8::2 -> 2001:db8:1::2 plen 64, next 58, hlim 63

    Example: FromDevice(eth0) -> CheckIP6Header(OFFSET 14) -> IP6Print(eth0) -> Discard;
    """

    args = (
        LinePrinter.args[0],
        Keyword("CONTENTS", Bool(), False, "true to print the packet's bytes as well, in hexadecimal"),
        Keyword("NBYTES", Integer(), 1500, "how many of them at most"),
        Keyword("TIMESTAMP", Bool(), False, "whether to print the time at which the packet arrived, in seconds since 1970"),
        *LinePrinter.args[2:],
    )

    def seen(self) -> dict[str, int]:
        return {"network": IP6_HEADER, "data": length(self.cfg.nbytes) if self.cfg.contents else 0}
