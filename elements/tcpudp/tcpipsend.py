import ctypes
import struct

from clickbpf.declare import PUSH, USER, ArgError, Bool, Element, IPAddress, IPPort, Integer, Optional, Required, split_words, write_handler
from clickbpf.args.bind import bind

from ..ip._packet import DF, ip_packet

TCP, TTL, WINDOW = 6, 255, 32120
#: The most segments for one write: it blocks everything else.
MOST = 1 << 16
#: The words of the handler `send`.
WORDS = (
    Required("SRC", IPAddress()),
    Required("SPORT", IPPort(TCP)),
    Required("DST", IPAddress()),
    Required("DPORT", IPPort(TCP)),
    Required("SEQNO", Integer(32)),
    Required("ACKNO", Integer(32)),
    Required("FLAGS", Integer(8)),
    Optional("COUNT", Integer(32, high=MOST), 1),
    Optional("STOP", Bool(), False),
)


class TCPIPSend(Element, ports="0/1", processing=PUSH, runs=USER):
    """sends TCP segments when a handler is written

    Pushes IP packets with TCP headers and no data, a TTL of 255 and a window of 32120, for tests of TCP.

    Example: `clickbpf write` router `t.send "10.0.0.1 1000 10.0.0.2 80 1 0 2"` begins a connection:

        t :: TCPIPSend -> EtherEncap(0x0800, 2:2:2:2:2:2, 3:3:3:3:3:3) -> Queue -> ToDevice(eth0);
    """


    @write_handler
    def send(self, text: str) -> None:
        """`SRC SPORT DST DPORT SEQNO ACKNO FLAGS [COUNT STOP]`: addresses, ports, numbers and TCP's flags (1 is FIN, 2 SYN, 4 RST, 8 PSH,
        16 ACK) of a segment, how many to send (up to 65536), and whether to stop the driver then.
        """
        bound = bind("send", WORDS, ", ".join(split_words(text)), self.context)
        if bound.errors:
            raise ArgError("\n".join(error.message for error, _ in bound.errors))
        if self.runtime is None:
            raise ArgError("the runtime that sends is not running")
        asked = bound.cfg
        words = (asked.sport, asked.dport, asked.seqno, asked.ackno, 5 << 4, asked.flags, WINDOW, 0, 0)
        packet = ip_packet(asked.src, asked.dst, TCP, struct.pack("!HHIIBBHHH", *words), TTL, DF)
        request = struct.pack("=I", asked.count) + packet
        if self.runtime.control(argument=ctypes.create_string_buffer(request, len(request))):
            raise ArgError("out of memory")
        if asked.stop:
            self.runtime.stop()
