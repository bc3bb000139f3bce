from clickbpf.declare import MARKED, Element


class SetUDPChecksum(Element, ports="1/1-2", processing="a/ah"):
    """computes UDP checksums

    For UDP packets without a checksum, or changed by elements that don't update checksums. The packet's IP header has to be marked
    (CheckIPHeader, MarkIPHeader); the checksum covers the UDP header's length. The protocol isn't checked.

    A fragment, or a packet too short for a UDP header or for its length, leaves unchanged by output 1, or is dropped if that isn't
    connected; the runtime reports the first of these on standard error.

    Packets with IP options, since source routes affect the checksum, and packets of more than 4095 bytes are left to the runtime.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> StoreIPAddress(10.0.0.1, 12)
            -> SetIPChecksum -> SetUDPChecksum -> Discard;
    """

    same_form = True
    takes = (MARKED,)
    weight = 350
