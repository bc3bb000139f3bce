"""Traffic of real hosts for tests in namespaces: raw frames, ping, UDP and TCP.

Sockets are opened inside a namespace and then used from outside, so that only `ping` needs a process of its own.
"""

import re
import socket
import struct
import threading
import time

from clickbpf.closing import Closing
from clickbpf.errors import ClickError
from clickbpf.testing.netns import PATIENCE, Namespace
from clickbpf.waiting import readable

ETH_P_ALL = 3
SOL_PACKET, PACKET_AUXDATA, PACKET_IGNORE_OUTGOING = 263, 8, 23
#: struct tpacket_auxdata: status, len, snaplen, mac, net, vlan_tci, vlan_tpid.
AUXDATA = struct.Struct("=IIIHHHH")
TP_STATUS_VLAN_VALID = 1 << 4
#: The longest frame that a raw port accepts, in bytes.
LONGEST = 65536


class RawPort(Closing):
    """Sends raw Ethernet frames by one device, and receives frames as they were on the wire: all frames of the device or, with an EtherType
    as `protocol`, those of this type that reach Linux past XDP and TC programs."""

    def __init__(self, namespace: Namespace, device: str, protocol: int = ETH_P_ALL):
        self.namespace, self.device = namespace, device
        self._socket = namespace.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(protocol))
        try:
            self._socket.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
            self._socket.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
            self._socket.bind((device, 0))
            self._socket.setblocking(False)
        except BaseException:
            self._socket.close()
            raise

    def fileno(self) -> int:
        """The descriptor, for poll."""
        return self._socket.fileno()

    def send(self, frame: bytes) -> None:
        self._socket.send(frame)

    def receive(self, patience: float = 0.0) -> bytes | None:
        """The next frame, or None if none has arrived after `patience` seconds."""
        if patience:
            readable([self.fileno()], patience)
        try:
            frame, extra, _, _ = self._socket.recvmsg(LONGEST, socket.CMSG_SPACE(AUXDATA.size))
        except BlockingIOError:
            return None
        return _with_vlan(frame, extra)

    def close(self) -> None:
        self._socket.close()


def _with_vlan(frame: bytes, extra: list[tuple[int, int, bytes]]) -> bytes:
    """Put back the VLAN tag that Linux removes from a frame before a packet socket gets it."""
    for level, kind, data in extra:
        if level == SOL_PACKET and kind == PACKET_AUXDATA:
            status, _, _, _, _, tci, tpid = AUXDATA.unpack(data[: AUXDATA.size])
            if status & TP_STATUS_VLAN_VALID:
                return frame[:12] + struct.pack("!HH", tpid, tci) + frame[12:]
    return frame


def ping(
    namespace: Namespace,
    address: str,
    count: int = 1,
    *,
    size: int = 56,
    wait: float = 10.0,
    options: tuple[str, ...] = (),
) -> int:
    """The number of echo replies to `count` requests with `size` bytes of payload. Replies may take `wait` seconds.

    All requests are sent at once: if they were spaced out, ping wouldn't wait this long for the reply to the last one.
    """
    many = ("-c", str(count), "-l", str(count), "-i", str(wait), "-W", str(wait))
    done = namespace.run("ping", "-n", *many, "-s", str(size), *options, address, check=False)
    found = re.search(r"(\d+) received", done.stdout)
    if not found:
        raise ClickError(f"ping {address} said: {(done.stderr or done.stdout).strip()}")
    return int(found[1])


def udp_exchange(client: Namespace, server: Namespace, address: str, port: int, payloads: list[bytes], wait: float = 10.0) -> list[bytes]:
    """Send datagrams to a server that echoes them; returns the echoes in order of arrival."""
    family = _family(address)
    with server.socket(family, socket.SOCK_DGRAM) as listening, client.socket(family, socket.SOCK_DGRAM) as asking:
        listening.bind((address, port))
        listening.settimeout(0.05)
        asking.settimeout(wait)
        asking.connect((address, port))
        ended = threading.Event()
        echo = threading.Thread(target=_echo, args=(listening, ended))
        echo.start()
        try:
            return [answer for payload in payloads if (answer := _ask(asking, payload)) is not None]
        finally:
            ended.set()
            echo.join()


def _echo(listening: socket.socket, ended: threading.Event) -> None:
    while not ended.is_set():
        try:
            data, sender = listening.recvfrom(LONGEST)
        except TimeoutError:
            continue
        listening.sendto(data, sender)


def _ask(asking: socket.socket, payload: bytes) -> bytes | None:
    try:
        asking.send(payload)
        return asking.recv(LONGEST)
    except (TimeoutError, ConnectionRefusedError):
        return None


def tcp_transfer(client: Namespace, server: Namespace, address: str, port: int, payload: bytes, patience: float = PATIENCE) -> bytes:
    """Send `payload` over one TCP connection; returns what the server received. TimeoutError if it takes longer than
    `patience`."""
    end = time.monotonic() + patience
    family = _family(address)
    with server.socket(family) as listening, client.socket(family) as sending:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen(1)
        listening.settimeout(patience)
        sending.settimeout(patience)
        received = bytearray()
        reader = threading.Thread(target=_read_all, args=(listening, received, end))
        reader.start()
        try:
            sending.connect((address, port))
            sending.sendall(payload)
            sending.shutdown(socket.SHUT_WR)
        finally:
            reader.join()
        return bytes(received)


def _family(address: str) -> int:
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def _read_all(listening: socket.socket, received: bytearray, end: float) -> None:
    """Accept one connection and read until it closes or time is up; then the result is shorter than expected."""
    try:
        connection, _ = listening.accept()
        with connection:
            connection.settimeout(max(0.01, end - time.monotonic()))
            while data := connection.recv(LONGEST):
                received += data
    except TimeoutError:
        return
