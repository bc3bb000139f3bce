from clickbpf.declare import ArgError

from ._tcp import TCPElement


class TCPOutput(TCPElement, ports="1/1-2"):
    """sends the segments of TCP connections

    Takes the data of applications: packets whose annotation AGGREGATE is the number of the connection, as TCPFin sets it. A packet
    without data closes the connection on this side, after all data. Data beyond the connection's BUFFER resets the connection,
    since a stream can't have gaps: applications must wait until there is room or, like TCPEcho, limit the announced window.

    Its packets are complete IPv4 or IPv6 packets with checksums, header annotations, and the destination address annotation set,
    for a routing table or EtherEncap. IPv6 packets leave by output 1, if connected.

    A TCPConnections has one TCPOutput.

    Ports: one push input; push output 0, and output 1 (may be missing) for IPv6.
    """

    annotations = ("DST_IP6",)

    def configure(self) -> None:
        for other in self.others("TCPOutput"):
            raise ArgError(f"{self.cfg.tcp} has a TCPOutput: {other}")
