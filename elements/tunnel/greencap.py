from clickbpf.declare import Constants, Element, Integer, Required, Vars, u32

from ._gre import OPTIONS, key_constants


class GREEncap(Element):
    """puts packets into a GRE header

    A class of FastClick. Adds the header of RFC 2784, with the key and sequence number of RFC 2890. An IPEncap with protocol 47
    usually follows. The runtime computes checksums over packets of more than 4079 bytes.

    Sequence numbers count from 0, as RFC 2890 requires; FastClick's count from 1.

    Arguments:

      - CHECKSUM: whether the header has a checksum over itself and the packet. Default false.
      - KEY: a number for the other end to distinguish tunnels. Default none; in FastClick, 0 also means none.
      - SEQUENCE: whether the header has a sequence number. Default false.

    Example: one end of a tunnel:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> GREEncap(0x0800, KEY 77) -> IPEncap(gre, 192.0.2.1, 198.51.100.1)
            -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("PROTOCOL", Integer(16), "the Ethernet type of the packets: 0x0800 for IP, 0x86dd for IPv6, 0x6558 for Ethernet frames"),
        *OPTIONS,
    )
    state_types = {"vars": Vars(sequence=u32)}
    weight = 120

    def constants(self) -> Constants:
        return key_constants(self.cfg.key)
