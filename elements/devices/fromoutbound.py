from clickbpf.declare import BEARS_OFFLOADS, FRAME, AlignmentRule, DeviceName, Required
from clickbpf.objects.outbound import outbound

from ._device import CountedDevice


class FromOutbound(CountedDevice, ports="0/1", processing="h", runs=frozenset({"tc", "user"}), traits=BEARS_OFFLOADS):
    """takes what Linux sends by a network device

    Takes the packets that Linux is about to send by DEVNAME, its own and those that it forwards, and pushes them out of output 0,
    beginning with their Ethernet headers; of an L3 device (FromDevice) with their IP headers. They have the type OUTGOING. Only what the
    router sends by ToDevice(DEVNAME) leaves by the device; that is not taken again, wherever in the router it comes from. ToHost gives
    packets back to Linux, as if DEVNAME had received them.

    Runs on TC only (`--hook tc`), at the device's egress, before its qdisc. The device of these packets is called `DEVNAME outbound`
    where clickbpf names it. With FromDevice(DEVNAME, OUTBOUND true) the router gets copies instead, and Linux goes on sending.

    Where the kernel path drops a packet, the call by which a program sends it may fail with ENOBUFS, as with any filter there.

    Example:

        // Expedited forwarding for what this machine sends to port 5060, whatever program does.
        FromOutbound(eth0) -> c :: Classifier(12/0800, -) -> MarkIPHeader(14) -> ip :: IPClassifier(udp port 5060, -);
        ip[0] -> SetIPDSCP(46) -> out :: Queue -> ToDevice(eth0);
        ip[1], c[1] -> out;
    """

    alignment = AlignmentRule(gives=FRAME)
    args = (Required("DEVNAME", DeviceName(), "The device; none that FromHost makes, whose packets come from there"),)

    def receives_from(self) -> str | None:
        return outbound(self.cfg.devname)
