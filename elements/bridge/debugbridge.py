from clickbpf.declare import USER, Element, Required, String


class DebugBridge(Element, runs=USER):
    """prints messages of the IEEE 802.1D spanning tree protocol

    Prints a line on standard error for each packet, and passes the packet on. The line has LABEL; CFG for a configuration message,
    TCM for a topology change notification (the end of its line), ??? for anything else; the identifier of the sending switch and
    its port; whether a topology change is acknowledged (TCA or tca) and reported (TC or tc); the sender's cost to the root, the
    root's identifier; the message's age, and the root's maximum age, hello time and forward delay, in 1/256 s. All numbers are
    hexadecimal. For packets too short to be a message, the line has their length.

    Ports: one input, one output. Packets are Ethernet packets.

    Example:

        FromDevice(eth0) -> c :: Classifier(14/4242, -);
        c[0] -> DebugBridge(eth0) -> Discard;
        c[1] -> Discard;
    """

    args = (Required("LABEL", String(), "the beginning of each line"),)
    derived = {"label": ("const char *", lambda self: self.cfg.label)}
