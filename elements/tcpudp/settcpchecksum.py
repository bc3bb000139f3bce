from clickbpf.declare import MARKED, Bool, Element, Optional


class SetTCPChecksum(Element):
    """computes TCP checksums

    For TCP packets that were changed by elements that don't update checksums. The packet's IP header has to be marked
    (CheckIPHeader, MarkIPHeader); the checksum covers the IP header's length. The protocol isn't checked. A packet too short for a
    TCP header, or for the IP header's length, is dropped; the runtime reports this on standard error.

    Packets with IP options, since source routes affect the checksum, and packets of more than 4095 bytes are left to the runtime.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> StoreIPAddress(10.0.0.1, 12)
            -> SetIPChecksum -> SetTCPChecksum -> Discard;
    """

    same_form = True
    takes = (MARKED,)
    args = (
        Optional("FIXOFF", Bool(), False, "true to correct an invalid data offset (TCP header length): to 20 bytes if it is less, to the "
            "whole segment if it is more and the packet is no fragment"),
    )
    weight = 350
