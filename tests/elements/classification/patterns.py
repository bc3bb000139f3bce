"""Directives of packet filters, and independently of their compiler what each means for a packet's bytes."""

import random
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network

Predicate = Callable[[bytes], bool]


def header_length(ip: bytes) -> int:
    return (ip[0] & 15) * 4


def number(ip: bytes, at: int, length: int) -> int:
    return int.from_bytes(ip[at : at + length], "big")


def protocol(*numbers: int) -> Predicate:
    return lambda ip: ip[9] in numbers


def host(at: int, network: str) -> Predicate:
    return lambda ip: IPv4Address(ip[at : at + 4]) in IPv4Network(network)


def carried(test: Callable[[bytes], bool], needs: int, *protocols: int) -> Predicate:
    """A test of `needs` bytes after the IP header of first fragments of these protocols."""

    def holds(ip: bytes) -> bool:
        data = ip[header_length(ip) :]
        return (not protocols or ip[9] in protocols) and number(ip, 6, 2) & 0x1FFF == 0 and len(data) >= needs and test(data)

    return holds


def port(side: str, test: Callable[[int], bool], *protocols: int) -> Predicate:
    if side == "src":
        return carried(lambda data: test(number(data, 0, 2)), 2, *protocols)
    return carried(lambda data: test(number(data, 2, 2)), 4, *protocols)


def either(*predicates: Predicate) -> Predicate:
    return lambda ip: any(predicate(ip) for predicate in predicates)


SOURCE, DESTINATION = 12, 16
ANY_PORT = (6, 17)

#: For IP packets of at least 20 bytes with a header of at least 20.
MEANINGS: dict[str, Predicate] = {
    "true": lambda ip: True,
    "tcp": protocol(6),
    "ip proto udp": protocol(17),
    "tcpudp": protocol(6, 17),
    "ip proto != 6": lambda ip: ip[9] != 6,
    "proto > 6": lambda ip: ip[9] > 6,
    "src host 10.0.0.1": host(SOURCE, "10.0.0.1/32"),
    "dst 10.0.0.2": host(DESTINATION, "10.0.0.2/32"),
    "host 10.0.0.1": either(host(SOURCE, "10.0.0.1/32"), host(DESTINATION, "10.0.0.1/32")),
    "src and dst net 10.0.0.0/8": lambda ip: host(SOURCE, "10.0.0.0/8")(ip) and host(DESTINATION, "10.0.0.0/8")(ip),
    "src or dst 10.1.0.0 mask 255.255.0.0": either(host(SOURCE, "10.1.0.0/16"), host(DESTINATION, "10.1.0.0/16")),
    "src host != 10.0.0.1": lambda ip: not host(SOURCE, "10.0.0.1/32")(ip),
    "dst host & 255.0.0.255 10.9.9.1": lambda ip: ip[16] == 10 and ip[19] == 1,
    "src port www": port("src", lambda n: n == 80, *ANY_PORT),
    "dst tcp port > 1023": port("dst", lambda n: n > 1023, 6),
    "dst udp port <= 53": port("dst", lambda n: n <= 53, 17),
    "src tcp port != 80": port("src", lambda n: n != 80, 6),
    "dst port & 0xff 0x50": port("dst", lambda n: n & 0xFF == 0x50, *ANY_PORT),
    "port 53": either(port("src", lambda n: n == 53, *ANY_PORT), port("dst", lambda n: n == 53, *ANY_PORT)),
    "src and dst port >= 1024": carried(lambda d: number(d, 0, 2) >= 1024 and number(d, 2, 2) >= 1024, 4, *ANY_PORT),
    "icmp type echo": carried(lambda data: data[0] == 8, 1, 1),
    "type < 8": carried(lambda data: data[0] < 8, 1, 1),
    "syn": carried(lambda data: data[13] & 2 != 0, 14, 6),
    "tcp opt ack": carried(lambda data: data[13] & 16 != 0, 14, 6),
    "tcp win >= 4096": carried(lambda data: number(data, 14, 2) >= 4096, 16, 6),
    "udp[4:2] > 20": carried(lambda data: number(data, 4, 2) > 20, 6, 17),
    "transp[1] & 1 != 0": carried(lambda data: data[1] & 1 != 0, 2),
    "ip vers 4": lambda ip: ip[0] >> 4 == 4,
    "ip hl > 5": lambda ip: ip[0] & 15 > 5,
    "ip id & 0xff00 0": lambda ip: ip[4] == 0,
    "ip tos 0": lambda ip: ip[1] == 0,
    "ip dscp < 8": lambda ip: ip[1] >> 2 < 8,
    "ip len > 60": lambda ip: number(ip, 2, 2) > 60,
    "ip ttl <= 64": lambda ip: ip[8] <= 64,
    "ip ect": lambda ip: ip[1] & 3 != 0,
    "ip ce": lambda ip: ip[1] & 3 == 3,
    "ip frag": lambda ip: number(ip, 6, 2) & 0x3FFF != 0,
    "ip unfrag": lambda ip: number(ip, 6, 2) & 0x3FFF == 0,
    "ip[12:4] >= 0x0a000001": lambda ip: number(ip, 12, 4) >= 0x0A000001,
    "ip[2:2] & 0x0f0f > 0x0105": lambda ip: number(ip, 2, 2) & 0x0F0F > 0x0105,
}


def random_pattern(choose: random.Random, depth: int = 3) -> tuple[str, Predicate]:
    """An expression of directives, and what it means."""
    kind = choose.randrange(8) if depth else 0
    if kind < 2:
        text = choose.choice(list(MEANINGS))
        return text, MEANINGS[text]
    one, holds_one = random_pattern(choose, depth - 1)
    other, holds_other = random_pattern(choose, depth - 1)
    if kind < 4:
        word = choose.choice(("and", "&&"))
        return f"({one}) {word} ({other})", lambda ip: holds_one(ip) and holds_other(ip)
    if kind < 6:
        word = choose.choice(("or", "||"))
        return f"({one}) {word} ({other})", lambda ip: holds_one(ip) or holds_other(ip)
    if kind < 7:
        return f"{choose.choice(('not', '!'))} ({one})", lambda ip: not holds_one(ip)
    third, holds_third = random_pattern(choose, depth - 1)
    return f"({one} ? {other} : {third})", lambda ip: (holds_other if holds_one(ip) else holds_third)(ip)


def is_whole_header(frame: bytes) -> bool:
    """Whether an Ethernet frame has an IP header of the least length."""
    ip = frame[14:]
    return len(ip) >= 20 and header_length(ip) >= 20
