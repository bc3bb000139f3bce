from clickbpf.declare import ArgError

from ._tcp import TCPElement


class TCPNormalize(TCPElement, ports="1/1-2"):
    """makes streams of the TCP connections of others

    An intrusion detection system, for example, has to see what the receiver sees. However a stream was cut into segments, its bytes leave
    TCPFin once and in order. If bytes come twice, the first copy counts, also beyond a gap. Segments with a wrong checksum, those
    outside a window of BUFFER bytes, and data without an acknowledgement are ignored. A connection whose SYN wasn't seen begins with
    its first segment.

    TCPNormalize is the second step, before TCPTrim, TCPReset, TCPReassemble and TCPFin. Give it copies of packets, since it doesn't pass
    packets on, and reassemble fragments before (IPReassembler). Its TCPConnections has a connection for each direction and no TCPOutput,
    and sends nothing. Flows of which only a SYN was seen take at most half of the slots; silent flows end after TIMEOUT.

    Example:

        flows :: TCPConnections(100000, TIMEOUT 600);
        FromDevice(eth0, SNIFFER true) -> Strip(14) -> CheckIPHeader -> IPReassembler -> TCPLookup(flows) -> TCPNormalize(flows)
            -> TCPTrim(flows) -> TCPReset(flows) -> TCPReassemble(flows) -> TCPFin(flows) -> Print(stream, CONTENTS ASCII) -> Discard;
    """

    def configure(self) -> None:
        for output in self.others("TCPOutput"):
            raise ArgError(f"{self.cfg.tcp} has a TCPOutput: {output}")
