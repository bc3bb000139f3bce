from clickbpf.declare import BEARS_OFFLOADS, FRAME, AlignmentRule, DeviceName, Required
from clickbpf.objects.outbound import outbound

from ._device import CountedDevice


class FromOutbound(CountedDevice, ports="0/1", processing="h", runs=frozenset({"tc", "user"}), traits=BEARS_OFFLOADS):
    """takes the packets that Linux sends by a network device

    Takes the packets that Linux is about to send by DEVNAME, its own and forwarded ones, and pushes them to output 0, beginning
    with their Ethernet headers, or for an L3 device (FromDevice) with their IP headers. They have the type OUTGOING. Only packets
    that the router sends by ToDevice(DEVNAME) leave by the device; these aren't taken again. ToHost gives packets back to Linux, as
    if DEVNAME had received them.

    Runs on TC only (`--hook tc`), at the device's egress, before its qdisc. clickbpf shows these packets' device as `DEVNAME
    outbound`. With FromDevice(DEVNAME, OUTBOUND true) the router gets copies instead, and Linux sends the packets as usual.

    When the kernel path drops a packet, the call of the program that sends it may fail with ENOBUFS, as with any filter there.

    Example:

        // Expedited forwarding for what this machine sends to port 5060, whatever program does.
        FromOutbound(eth0) -> c :: Classifier(12/0800, -) -> MarkIPHeader(14) -> ip :: IPClassifier(udp port 5060, -);
        ip[0] -> SetIPDSCP(46) -> out :: Queue -> ToDevice(eth0);
        ip[1], c[1] -> out;
    """

    alignment = AlignmentRule(gives=FRAME)
    args = (Required("DEVNAME", DeviceName(), "The device; for a device created by FromHost, use FromHost itself"),)

    def receives_from(self) -> str | None:
        return outbound(self.cfg.devname)
