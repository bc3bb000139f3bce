from clickbpf.declare import Integer, Reconfigurable, Required


class GTPEncap(Reconfigurable):
    """puts packets into a GTP-U header

    A class of FastClick. The header has eight bytes, with the message type of a user's packet (3GPP TS 29.281, message 255), and
    neither a sequence number nor extension headers. A UDPIPEncap to port 2152 usually follows.

    Example: packets for a mobile phone on the way to its base station:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> GTPEncap(0x1234) -> UDPIPEncap(192.0.2.1, 2152, 198.51.100.1, 2152)
            -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("TEID", Integer(32), "the tunnel endpoint identifier; 0 for each packet's aggregate annotation, as set by GTPDecap"),
    )
