"""Routers between a tunnel and an Ethernet, on a machine of its own: its first process (inside.py).

    host0 t0  ======  t0 machine eth1  ------  eth0 host1

The tunnel is Linux's in host0; in the machine only its device is, which the router reads and sends by. Its packets cross the devices eth0.
"""

from __future__ import annotations

import os
from typing import Any

from inside import FILES, PATIENCE, clickbpf, die, host, listed, main, run

NAME, PORT = "demo", 5001
#: Bytes sent by TCP, each way.
AMOUNT = 200_000
#: Of eth1, and of the host there.
OWN, FAR = "02:00:00:00:01:01", "02:00:00:00:01:02"
#: What goes around packets, and the version of IP inside.
TUNNELS = {
    "ipip": ("ipip", 4),
    "sit": ("sit", 6),
    "gre": ("gre", 4),
    "gre, IPv6 inside": ("gre", 6),
    "ip6tnl": ("ip6tnl mode any", 4),
    "ip6gre": ("ip6gre", 6),
    "wireguard": ("wireguard", 4),
}
#: Of t0 and eth0 in the hosts, and of the router for the second one.
INNER = {4: ("10.0.0.2/24", "10.0.1.2/24", "10.0.1.1"), 6: ("fd00::2/64", "fd01::2/64", "fd01::1")}
#: Secret keys of WireGuard.
KEYS = "ERERERERERERERERERERERERERERERERERERERERERE=", "IiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiI="
#: Devices without a remote address.
AIMLESS = {"gre": "gre key 7", "ip6gre": "ip6gre key 7", "ipip": "ipip"}


def ip(*line: str) -> None:
    said = run("ip", *" ".join(line).split())
    assert not said, (line, said)


def ends(kind: str) -> tuple[str, str]:
    """The addresses between which a tunnel's own packets go: the machine's, the host's."""
    return ("fd09::1", "fd09::2") if kind.startswith("ip6") else ("10.9.0.1", "10.9.0.2")


def tunnel(hosts, kind: str) -> None:
    """The device t0 in the machine, and in the first host."""
    own, other = ends(kind)
    between = ((["link"], own, other), (["-n", hosts[0].name, "link"], other, own))
    for words, local, remote in between:
        ip(*words, "add t0 type", kind, "" if kind == "wireguard" else f"local {local} remote {remote}")
    if kind == "wireguard":
        connect(hosts[0], own, other)
    for words, *_ in between:
        ip(*words, "set t0 up")


def connect(other_host, own: str, other: str) -> None:
    """Acquaint the WireGuard devices with each other. The public keys follow from the secret ones, and the kernel knows how."""
    keys = _wireguard(private_key=KEYS[0]), other_host.call(lambda: _wireguard(private_key=KEYS[1]))
    _wireguard(peer=_peer(keys[1], other))
    other_host.call(lambda: _wireguard(peer=_peer(keys[0], own)))


def _peer(key: bytes, address: str) -> dict[str, Any]:
    return {"public_key": key, "endpoint_addr": address, "endpoint_port": PORT, "allowed_ips": ["0.0.0.0/0"]}


def _wireguard(**settings: Any) -> bytes:
    """Set what t0 of this namespace has to know; its public key."""
    from pyroute2 import WireGuard

    with WireGuard() as netlink:
        netlink.set("t0", listen_port=PORT, **settings)
        return netlink.info("t0")[0].get_attr("WGDEVICE_A_PUBLIC_KEY")


def addressed(hosts, version: int) -> tuple[str, str]:
    """Give the hosts addresses inside the tunnel and after it, and ways to each other; their addresses."""
    left, right, gateway = INNER[version]
    ip(f"-n {hosts[0].name} address add {left} dev t0" + " nodad" * (version == 6))
    ip(f"-n {hosts[1].name} address replace {right} dev eth0" + " nodad" * (version == 6))
    ip(f"-n {hosts[0].name} -{version} route replace default dev t0")
    ip(f"-n {hosts[1].name} neighbour replace {gateway} lladdr {OWN} dev eth0 nud permanent")
    ip(f"-n {hosts[1].name} -{version} route replace default via {gateway} dev eth0")
    return left.split("/")[0], right.split("/")[0]


def passes(hosts, addresses: tuple[str, str]) -> dict[str, Any]:
    """What gets through the tunnel: pings, UDP, and TCP in both directions."""
    from clickbpf.testing.traffic import ping, tcp_transfer, udp_exchange

    found: dict[str, Any] = {"pings": ping(hosts[0], addresses[1], 3)}
    found["udp"] = [len(answer) for answer in udp_exchange(*hosts, addresses[1], PORT, [bytes(9), bytes(900)])]
    for one, other in ((0, 1), (1, 0)):
        payload = os.urandom(AMOUNT)
        found[f"tcp {one} {other}"] = tcp_transfer(hosts[one], hosts[other], addresses[other], PORT, payload, PATIENCE) == payload
    return found


def load(file: str) -> tuple[int, str]:
    return clickbpf("load", "-n", NAME, str(FILES / file))


def lived(hosts, addresses: tuple[str, str], file: str) -> dict[str, Any]:
    """A router's life; that of one whose packets don't need the runtime goes on without it."""
    found: dict[str, Any] = {"load": load(file)}
    if found["load"][0] == 0:
        found["passes"] = passes(hosts, addresses)
        found |= {name: int(clickbpf("read", "-r", NAME, f"{name}.count")[1]) for name in ("from", "to")}
        found["drops"] = clickbpf("drops", NAME)[1]
        if file.startswith("kernel"):
            assert die(listed()["runtime"])
            found["without runtime"] = passes(hosts, addresses)
        found["unload"] = clickbpf("unload", NAME)
    return found


def tunnelled(hosts, kind: str, version: int) -> dict[str, Any]:
    tunnel(hosts, kind)
    try:
        addresses = addressed(hosts, version)
        return {where: lived(hosts, addresses, f"{where}{version}.o") for where in ("kernel", "runtime")}
    finally:
        run("ip", "link", "delete", "t0")
        hosts[0].ip("link", "delete", "t0")


def refused(kind: str) -> dict[str, Any]:
    """What is said about a device without a remote address, by a router that reads it and one that sends by it, too; and by doctor."""
    ip("link add t0 type", kind, f"local {ends(kind)[0]}")
    ip("link set t0 up")
    found = {"both": load("kernel4.o"), "reading": load("reading.o"), "doctor": clickbpf("doctor", "t0")[1]}
    clickbpf("unload", NAME)
    ip("link delete t0")
    return found


def seen() -> dict[str, Any]:
    from clickbpf.testing.netns import Network

    run("ip", "link", "set", "lo", "up")
    with Network() as net:
        hosts = [host(net, number) for number in (0, 1)]
        for name in ("all", "default", "eth0"):
            for each in hosts:
                each.sysctl(f"net.ipv6.conf.{name}.disable_ipv6", "0")
        ip(f"link set eth1 address {OWN}")
        ip(f"-n {hosts[1].name} link set eth0 address {FAR}")
        ip("address add 10.9.0.1/24 dev eth0")
        ip("address add fd09::1/64 dev eth0 nodad")
        ip(f"-n {hosts[0].name} address add fd09::2/64 dev eth0 nodad")
        found = {name: tunnelled(hosts, *how) for name, how in TUNNELS.items()}
        return found | {f"aimless {name}": refused(kind) for name, kind in AIMLESS.items()}


if __name__ == "__main__":
    main(seen)
