"""Linux's TCP as a far end has it: its segments come and go by the other end of a tun."""

import os
import socket
import time

from elements.sockets._tun import open_device
from scapy.layers.inet import ICMP, IP, TCP
from tests.elements.tcp.line import LINUX, ROUTER

from clickbpf.testing.netns import Namespace

DEVICE = "tcp0"
#: Whose answer comes after all answers to what was sent before.
PING = bytes(IP(src=ROUTER, dst=LINUX) / ICMP())
PATIENCE = 30
#: States of Linux's TCP in which a side may close (<linux/tcp_states.h>).
ESTABLISHED, CLOSE_WAIT = 1, 8


class LinuxEnd:
    """Linux with the servers of `ports`: 7 sends back what comes, and closes when the other side does, as 9 does; 13 never closes."""

    def __init__(self, host: Namespace):
        self.host = host
        self.tun, _ = host.call(open_device, DEVICE, False)
        host.address(DEVICE, f"{LINUX}/24")
        host.ip("link", "set", DEVICE, "up")
        # Nothing is sent again while a test takes its time, and nothing late.
        host.ip("route", "replace", "192.0.2.0/24", "dev", DEVICE, "rto_min", "20s", "quickack", "1")
        self.servers = {port: self._serve(port) for port in (7, 9, 13)}
        self.open: dict[socket.socket, int] = {}

    def _serve(self, port: int) -> socket.socket:
        made = self.host.call(lambda: socket.create_server((LINUX, port), backlog=100))
        made.setblocking(False)
        return made

    def close(self) -> None:
        for opened in (*self.servers.values(), *self.open):
            opened.close()
        os.close(self.tun)

    def connect(self, port: int) -> int:
        """Open a connection to the other end, which is closed as soon as it is there; returns its port."""
        opened = self.host.socket()
        opened.setblocking(False)
        opened.bind((LINUX, 0))
        opened.connect_ex((ROUTER, port))
        self.open[opened] = 0
        return opened.getsockname()[1]

    def send(self, segment: TCP) -> list[TCP]:
        """What Linux and its applications answer."""
        os.write(self.tun, bytes(IP(src=ROUTER, dst=LINUX) / segment))
        answers = self.collect()
        return answers + (self.collect() if self._applications() else [])

    def collect(self) -> list[TCP]:
        """All that comes before the answer to a ping."""
        os.write(self.tun, PING)
        found, end = [], time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                packet = os.read(self.tun, 65536)
            except BlockingIOError:
                time.sleep(0.0001)
                continue
            if packet[9] == socket.IPPROTO_ICMP:
                return found
            found.append(IP(packet)[TCP])
        raise TimeoutError("Linux doesn't answer")

    def _applications(self) -> bool:
        """Let the servers, and who opened connections, do what there is to do; whether there was anything."""
        done = False
        for port, server in self.servers.items():
            try:
                opened, _ = server.accept()
            except BlockingIOError:
                continue
            opened.setblocking(False)
            self.open[opened] = port
        for opened, port in list(self.open.items()):
            try:
                done |= self._serve_one(opened, port)
            except OSError:
                opened.close()
                del self.open[opened]
        return done

    def _serve_one(self, opened: socket.socket, port: int) -> bool:
        if opened.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            raise ConnectionError
        state = opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
        closes = not port and state in (ESTABLISHED, CLOSE_WAIT)
        done = closes
        if closes:
            opened.shutdown(socket.SHUT_WR)
            self.open[opened] = 13
        try:
            while data := opened.recv(65536):
                done = True
                if port == 7:
                    opened.sendall(data)
        except BlockingIOError:
            return done
        if port in (7, 9) and state == CLOSE_WAIT:
            opened.shutdown(socket.SHUT_WR)
            return True
        return done
