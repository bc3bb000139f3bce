"""A TCP of elements, as a line: configurations, and a far end that a test plays itself."""

from scapy.layers.inet import IP, TCP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from scapy.packet import Packet
from tests.elements.swapped import runtime

from clickbpf.runtime.host import Runtime

STEPS = ("TCPSynSent", "TCPTrim", "TCPReset", "TCPAcknowledge", "TCPReassemble", "TCPFin")

COUNTS = ("accepted", "ended", "resets", "aborted", "silent", "received", "sent", "challenges")

#: Of Linux's side and of the router's, in the tun.
LINUX, ROUTER, LINUX6, ROUTER6 = "192.0.2.1", "192.0.2.9", "2001:db8::1", "2001:db8::9"


def line(listens: str = "", application: str = "TCPEcho(tcp)", output: str = "output :: TCPOutput(tcp)") -> str:
    """The elements from TCPLookup to TCPOutput."""
    steps = " -> ".join(f"{name[3:].lower()} :: {name}(tcp)" for name in STEPS)
    return f"lookup :: TCPLookup(tcp) -> listen :: TCPListen(tcp{listens}) -> {steps} -> {application} -> {output}"


#: Of a hundred segments some are lost, some come twice, and some later than those after them.
BAD_ROADS = """
elementclass Bad { $loss, $other |
    input -> lost :: RandomSample(DROP $loss) -> twice :: RandomSample(DROP $other) -> late :: RandomSample(DROP $other) -> output;
    twice[1] -> t :: Tee; t[0] -> late; t[1] -> late;
    late[1] -> Queue -> DelayUnqueue(0.002) -> output;
}
"""


def segments(
    arguments: str = "100",
    listens: str = ", 7",
    version: int = 4,
    replaces: Runtime | None = None,
    before: str = "",
    after: str = "",
    application: str = "TCPEcho(tcp)",
) -> Runtime:
    """A router with a TCP, at simulated time, between the devices in0 and out0, with other elements `before` its line, and `after` all."""
    front = f"CheckIPHeader(14) -> {before} Strip(14)" if version == 4 else "Strip(14) -> CheckIP6Header"
    return runtime(
        f"tcp :: TCPConnections({arguments}); FromDevice(in0) -> {front} -> {line(listens, application)}"
        f" -> EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2) -> out :: Queue -> ToDevice(out0); {after}",
        replaces,
    )


class FarEnd:
    """Somebody who sends segments to a router, and what it gets from it. Counts begin with the far end; `port` is its own."""

    #: Whether it hears what is sent to other ports, too.
    hears_all = False

    def __init__(self, router: Runtime, version: int = 4, port: int = 5000):
        source, destination = ("10.0.0.2", "10.0.0.1") if version == 4 else ("fd00::2", "fd00::1")
        self.layer = IP if version == 4 else IPv6
        self.router, self.ip = router, self.layer(src=source, dst=destination)
        self.port, self.seq, self.ack = port, 1000, 0
        self.before = {name: int(router.handlers.read("tcp", name)) for name in COUNTS}
        self.drops = {name: self._drops(name) for name in ("lookup", "listen", "reassemble")}

    def send(self, flags: str = "A", data: bytes = b"", **fields) -> list[Packet]:
        """What the router answers to a segment, which by default is the next one."""
        tcp = TCP(**{"sport": self.port, "dport": 7, "seq": self.seq, "ack": self.ack, "window": 65535, "flags": flags, **fields})
        self.router.inject("in0", bytes(Ether() / self.ip / tcp / data))
        return self.collect()

    def collect(self) -> list[Packet]:
        return [p for frame in self.router.collect("out0") if (p := self.layer(frame[14:])[TCP]).dport == self.port or self.hears_all]

    def wait(self, seconds: float) -> list[Packet]:
        """What the router sends if so much time passes."""
        self.router.advance(int(seconds * 10**9))
        return self.collect()

    def connect(self, **fields) -> "FarEnd":
        """The three segments that begin a connection (RFC 9293, 3.5)."""
        (answer,) = self.send("S", **fields)
        assert (answer.flags, answer.ack) == ("SA", self.seq + 1)
        self.seq, self.ack = self.seq + 1, answer.seq + 1
        assert self.send() == []
        return self

    def read(self, name: str) -> str:
        """A count; or the connections, of `port` or all."""
        text = self.router.handlers.read("tcp", name)
        if name in self.before:
            return str(int(text) - self.before[name])
        return "".join(row + "\n" for row in text.splitlines() if self.hears_all or row.split()[4] == str(self.port))

    def dropped(self, element: str) -> int:
        return self._drops(element) - self.drops[element]

    def _drops(self, element: str) -> int:
        return sum(int(row.split()[-1]) for row in self.router.handlers.read(element, "drops").splitlines())
