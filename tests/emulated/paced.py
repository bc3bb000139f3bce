"""A router that gives packets times at which to leave, between two hosts, on a machine of its own: its first process (inside.py)."""

from __future__ import annotations

import re
import socket
import struct
import threading
import time

from inside import FILES, clickbpf, host, main, run

NAME = "demo"
#: An Ethernet header but for its type; the type that is not IP is one for experiments.
ADDRESSES = bytes.fromhex("020000000099 020000000001")
IP, OTHER = 0x0800, 0x88B5
SENT, FLOWS = 250, 7
#: Seconds without a packet after which no more are expected.
QUIET = 2
ETH_P_ALL, SO_RCVBUFFORCE = 3, 33


def frame(kind: int, number: int) -> bytes:
    ip = bytes([0x45, 0]) + struct.pack("!HHHBBH", 60, number, 0, 64, socket.IPPROTO_UDP, 0) + bytes([10, 9, 0, 2, 10, 9, 0, 3])
    udp = struct.pack("!HHHH", 1000 + number % FLOWS, 9, 40, 0)
    return ADDRESSES + struct.pack("!H", kind) + ip + udp + struct.pack("!I", number) + bytes(28)


def passed(hosts, kinds: list[int]) -> list[tuple[float, int]]:
    """When the other host gets which of these packets, which are sent as fast as that goes."""
    sender, receiver = (each.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL)) for each in hosts)
    found: list[tuple[float, int]] = []

    def receive() -> None:
        while True:
            try:
                data = receiver.recv(200)
            except TimeoutError:
                return
            if data.startswith(ADDRESSES):
                found.append((time.monotonic(), struct.unpack_from("!I", data, 42)[0]))

    with sender, receiver:
        for each in (sender, receiver):
            each.bind(("eth0", 0))
        receiver.settimeout(QUIET)
        receiver.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 22)
        receiving = threading.Thread(target=receive)
        receiving.start()
        for number, kind in enumerate(kinds):
            sender.send(frame(kind, number))
        receiving.join()
    return found


def kept() -> int:
    """How many packets have waited in fq for their times."""
    found = re.search(r"highprio \d+ throttled (\d+)", run("tc", "-s", "qdisc", "show", "dev", "eth1"))
    return int(found[1]) if found else 0


def lived(hosts, qdisc: str, kinds: list[int]) -> dict:
    run("tc", "qdisc", "replace", "dev", "eth1", "root", *qdisc.split())
    found: dict = {"load": clickbpf("load", "-n", NAME, str(FILES / "paced.o"))}
    if found["load"][0] == 0:
        found["passed"] = passed(hosts, kinds)
        found |= {name: clickbpf("read", "-r", NAME, f"p.{name}")[1].strip() for name in ("drops", "length")}
        found["kept"] = kept()
        found["drops of all"] = clickbpf("drops", NAME)[1]
        found["unload"] = clickbpf("unload", NAME)
    run("tc", "qdisc", "delete", "dev", "eth1", "root")
    return found


def seen() -> dict:
    from clickbpf.testing.netns import Network

    run("ip", "link", "set", "lo", "up")
    with Network() as net:
        hosts = [host(net, number) for number in (0, 1)]
        return {
            "fq": lived(hosts, "fq flow_limit 1000", [IP] * SENT),
            "small fq": lived(hosts, "fq flow_limit 10", [IP] * SENT),
            "pfifo": lived(hosts, "pfifo", [IP] * SENT),
            "mixed": lived(hosts, "fq flow_limit 1000", [OTHER if number % 50 == 0 else IP for number in range(SENT)]),
        }


if __name__ == "__main__":
    main(seen)
