from clickbpf.declare import ArgError

from ._tcp import TCPElement


class TCPNormalize(TCPElement, ports="1/1-2"):
    """makes streams of the TCP connections of others

    For what looks at data on their way, as an intrusion detection system does: whatever pieces they come in, what leaves TCPFin is each
    stream once and in order. Of bytes that come twice the first count, also if they come beyond a gap. Segments without a right
    checksum, and those outside of a window of BUFFER bytes, say nothing. A connection whose beginning wasn't seen begins with its first
    segment.

    It is the second step, with TCPTrim, TCPReset, TCPReassemble and TCPFin after it. It should get packets that are whole (IPReassembler),
    and copies, since what it gets is not passed on. The TCPConnections has a connection for each direction, no TCPOutput, and sends
    nothing. Flows of which only a SYN was seen have half of the places at most; TIMEOUT ends silent ones.

    Ports: one push input; push output 0, and output 1, which may be missing, for segments that end here.

    Example:

        flows :: TCPConnections(100000, TIMEOUT 600);
        FromDevice(eth0, SNIFFER true) -> Strip(14) -> CheckIPHeader -> IPReassembler -> TCPLookup(flows) -> TCPNormalize(flows)
            -> TCPTrim(flows) -> TCPReset(flows) -> TCPReassemble(flows) -> TCPFin(flows) -> Print(stream, CONTENTS ASCII) -> Discard;
    """

    def configure(self) -> None:
        for output in self.others("TCPOutput"):
            raise ArgError(f"{self.cfg.tcp} has a TCPOutput: {output}")
