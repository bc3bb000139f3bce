from clickbpf.declare import MARKED, Bool, Element, Optional


class SetTCPChecksum(Element):
    """computes TCP checksums

    For TCP packets whose contents or addresses have been changed by elements that know nothing of checksums. The packet's
    IP header has to be marked (CheckIPHeader, MarkIPHeader); the checksum covers the length in it. Whether it is
    TCP is not checked. A packet that is too short for a TCP header, or for what its IP header says, is dropped; the
    runtime says so on standard error.

    Headers with IP options, whose source route has a say in the checksum, and more than 4095 bytes are left to the
    runtime.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> StoreIPAddress(10.0.0.1, 12)
            -> SetIPChecksum -> SetTCPChecksum -> Discard;
    """

    takes = (MARKED,)
    args = (
        Optional("FIXOFF", Bool(), False, "true to correct a TCP header length (data offset) that can't be: to 20 bytes if it is less, to "
            "the whole segment if it is more and the packet is no fragment"),
    )
    weight = 350
