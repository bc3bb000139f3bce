from clickbpf.declare import Bool, Keyword

from ..common._lines import LinePrinter

#: Bytes of an ARP packet about Ethernet and IP (RFC 826).
ARP_HEADER = 28


class ARPPrint(LinePrinter):
    """prints the contents of ARP packets

    Prints a line for every packet on standard error: LABEL and a colon, the packet's timestamp, and its contents. Packets without a
    network header annotation, as CheckARPHeader sets it, aren't printed, nor are packets about protocols other than IP.

        eth0: 1700000000.123456: arp who-has 10.0.0.1 tell 10.0.0.2
        eth0: 1700000000.123789: arp reply 10.0.0.1 is-at 02-00-00-00-00-01

    Example:

        FromDevice(eth0) -> c :: Classifier(12/0806, -);
        c[0] -> CheckARPHeader(14) -> ARPPrint(eth0) -> Discard;
        c[1] -> Discard;
    """

    args = (*LinePrinter.args, Keyword("ETHER", Bool(), False, "whether to print the addresses of the Ethernet header"))

    def seen(self) -> dict[str, int]:
        return {"network": ARP_HEADER}
