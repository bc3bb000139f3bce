"""Thousands of hot swaps under numbered frames: what is lost, and what the process holds meanwhile. As root.

    .venv/bin/python tests/bench/swaps.py [SWAPS] [FRAMES A SECOND]

One namespace sends frames with numbers into a router, another one receives them; the router's handler `hotconfig` puts one
configuration in the place of another all the time. A line is printed for every hundred swaps.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "gen"), str(ROOT)]

from clickbpf.runtime.control import ControlClient  # noqa: E402
from clickbpf.testing.netns import Namespace, Network  # noqa: E402

SWAPS, RATE = 2000, 500_000
TEXT = "FromDevice(eth0) -> c :: Counter -> q :: Queue -> t :: ToDevice(eth1); FromDevice(eth1) -> Discard;"
HEAD = bytes(12) + b"\x88\xb5"
#: Frames that are sent between two looks at the clock.
BURST = 64
SOL_PACKET, PACKET_IGNORE_OUTGOING = 263, 23


def packet_socket(namespace: Namespace) -> socket.socket:
    made = namespace.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x88B5))
    made.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    made.setsockopt(socket.SOL_SOCKET, 33, 256 << 20)  # SO_RCVBUFFORCE
    made.bind(("eth0", 0))
    return made


class Sender(threading.Thread):
    """Numbers frames from 0, at most `rate` of them a second."""

    def __init__(self, namespace: Namespace, rate: int):
        super().__init__(daemon=True)
        self._socket, self._rate, self.sent, self.over = packet_socket(namespace), rate, 0, False

    def run(self) -> None:
        begin = time.monotonic()
        while not self.over:
            if self.sent > (time.monotonic() - begin) * self._rate:
                time.sleep(0.0001)
                continue
            for _ in range(BURST):
                self._socket.send(HEAD + struct.pack(">Q", self.sent) + bytes(38))
                self.sent += 1


class Receiver(threading.Thread):
    """Counts frames, and those that come out of their order, until its device is gone."""

    def __init__(self, namespace: Namespace):
        super().__init__(daemon=True)
        self._socket, self.received, self.disordered = packet_socket(namespace), 0, 0
        self._next = 0

    def run(self) -> None:
        with suppress(OSError):
            while True:
                (number,) = struct.unpack_from(">Q", self._socket.recv(2048), len(HEAD))
                self.disordered += number < self._next
                self._next = number + 1
                self.received += 1


def held(pid: int) -> str:
    """What the process holds now."""
    proc = Path(f"/proc/{pid}")
    rss = int((proc / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 10
    mappings, threads = len((proc / "maps").read_text().splitlines()), len(list((proc / "task").iterdir()))
    return f"{len(list((proc / 'fd').iterdir()))} descriptors, {mappings} mappings, {threads} threads, {rss} KiB"


def main(swaps: int, rate: int) -> int:
    with Network() as net, tempfile.TemporaryDirectory() as folder:
        router, control = net.namespace("router"), Path(folder) / "control"
        hosts = [net.namespace(f"host{number}") for number in (0, 1)]
        for number, host in enumerate(hosts):
            net.veth(router, f"eth{number}", host, "eth0")
        command = [sys.executable, "-m", "clickbpf.cli.main", "run", "-R", "-u", str(control), "-e", TEXT]
        running = router.popen(*command, env={**os.environ, "PYTHONPATH": str(ROOT / "gen")}, stderr=subprocess.DEVNULL)
        while "prog/xdp" not in router.ip("-d", "link", "show", "eth1"):
            time.sleep(0.1)
        receiver, sender = Receiver(hosts[1]), Sender(hosts[0], rate)
        receiver.start()
        sender.start()
        with ControlClient(control) as client:
            while "hotconfig" not in client.read("handlers"):
                time.sleep(0.1)
            for number in range(1, swaps + 1):
                client.write("hotconfig", TEXT.replace("c ::", "n :: Null -> c ::") if number % 2 else TEXT)
                if number % 100 == 0 or number == swaps:
                    time.sleep(1)  # the last old router goes
                    print(f"{number} swaps, {sender.sent} frames: {held(running.pid)}", flush=True)
        sender.over = True
        sender.join()
        time.sleep(2)
        running.send_signal(signal.SIGINT)
        running.wait()
        lost = sender.sent - receiver.received
        print(f"{swaps} swaps: {sender.sent} frames sent, {lost} lost, {receiver.disordered} out of order")
        return int(lost != 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3]), *(SWAPS, RATE)[len(sys.argv[1:3]) :]))
