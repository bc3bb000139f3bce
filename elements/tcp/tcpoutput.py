from clickbpf.declare import ArgError

from ._tcp import TCPElement


class TCPOutput(TCPElement, ports="1/1-2"):
    """sends the segments of TCP connections

    Takes what applications send: packets of data, whose annotation AGGREGATE is the number of the connection, as what leaves TCPFin has it.
    A packet without data closes the connection on this side, after all data. Data beyond the connection's BUFFER end the connection with a
    reset, since a stream has no holes: an application waits until there is room, or, like TCPEcho, announces less.

    What leaves are whole IPv4 or IPv6 packets with checksums, header annotations, and the destination address annotation set, for a
    routing table, or for EtherEncap. IPv6 packets leave by output 1, if that is there.

    A TCPConnections has one TCPOutput.

    Ports: one push input; push output 0, and output 1, which may be missing.
    """

    annotations = ("DST_IP6",)

    def configure(self) -> None:
        for other in self.others("TCPOutput"):
            raise ArgError(f"{self.cfg.tcp} has a TCPOutput: {other}")
