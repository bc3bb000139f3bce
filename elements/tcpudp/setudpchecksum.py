from clickbpf.declare import MARKED, Element


class SetUDPChecksum(Element, ports="1/1-2", processing="a/ah"):
    """computes UDP checksums

    For UDP packets whose contents or addresses have been changed by elements that know nothing of checksums, or that have no
    checksum. The packet's IP header has to be marked (CheckIPHeader, MarkIPHeader); the checksum covers as many bytes
    as the UDP header says. Whether it is UDP is not checked.

    A fragment, or a packet too short for a UDP header or for what that says, leaves unchanged by output 1, or is dropped if
    that is not there; the runtime reports the first of these on standard error.

    Headers with IP options, whose source route has a say in the checksum, and more than 4095 bytes are left to the
    runtime.

    Ports: one input; output 0, and push output 1 (may be missing) for packets without a whole datagram.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> StoreIPAddress(10.0.0.1, 12)
            -> SetIPChecksum -> SetUDPChecksum -> Discard;
    """

    takes = (MARKED,)
    weight = 350
