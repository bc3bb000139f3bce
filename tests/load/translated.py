"""A router that translates addresses in the kernel, and a conversation through it, for tests of what outlives a process."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from clickbpf.testing.netns import Network

#: 10.0.0.1 is seen with other ports; what comes back to 10.0.0.1 passes a queue and a shaper of the runtime if it is from port 9.
TRANSLATES = """
FromDevice(eth0) -> is0 :: Classifier(12/0800, -);
FromDevice(eth1.7) -> is1 :: Classifier(12/0800, -);
is0[1] -> to1 :: Queue -> ToDevice(eth1.7);
is1[1] -> to0 :: Queue -> ToDevice(eth0);
rw :: IPRewriter(pattern 10.0.0.1 40000-40999 - - 0 1, drop);
is0[0] -> Strip(14) -> CheckIPHeader -> [0] rw;
is1[0] -> Strip(14) -> CheckIPHeader -> [1] rw;
rw[0] -> Unstrip(14) -> to1;
rw[1] -> slow :: IPClassifier(src udp port 9, -);
slow[0] -> held :: Queue(50) -> Shaper(1000) -> Unqueue -> Unstrip(14) -> to0;
slow[1] -> Unstrip(14) -> to0;
"""
PORTS = range(40000, 41000)


class Conversation:
    """Datagrams from a socket of the host 10.0.0.1 to a port of 10.0.0.2, and answers."""

    def __init__(self, inside: socket.socket, outside: socket.socket):
        self._inside, self.outside = inside, outside
        self._sent = 0

    def seen(self, patience: float = 60) -> int | None:
        """Ask and answer once: the port that the question came from. None if either is lost, sent once a second."""
        for _ in range(round(patience)):
            self._sent += 1
            text = str(self._sent).encode()
            self._inside.sendto(text, self.outside.getsockname())
            origin = _received(self.outside, text)
            if origin is not None:
                self.outside.sendto(text, origin)
                if _received(self._inside, text):
                    return origin[1]
        return None


def _received(own: socket.socket, text: bytes) -> tuple | None:
    """Where a datagram came from, within a second; older ones are thrown away."""
    try:
        while True:
            found, origin = own.recvfrom(100)
            if found == text:
                return origin
    except TimeoutError:
        return None


@contextmanager
def conversation(net: Network, port: int, beside: Conversation | None = None) -> Iterator[Conversation]:
    """The hosts are the network's second and third namespace (conftest.py). `beside` is one with the same port of 10.0.0.2: only the
    port of 10.0.0.1 distinguishes the two."""
    _, first, second = net.namespaces
    with first.socket(kind=socket.SOCK_DGRAM) as inside, second.socket(kind=socket.SOCK_DGRAM) as own:
        outside = beside.outside if beside else own
        inside.bind(("10.0.0.1", 0))
        if not beside:
            own.bind(("10.0.0.2", port))
        for each in (inside, outside):
            each.settimeout(1)
        yield Conversation(inside, outside)
