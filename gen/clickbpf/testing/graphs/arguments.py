"""Random valid arguments for element classes whose arguments affect packets.

Other classes have the arguments of their manual pages' examples.
"""

from collections.abc import Callable, Mapping
from random import Random

from clickbpf.testing.packets.mix import Mix

#: A class's arguments and its number of outputs.
Chosen = tuple[str, int]

ADDRESSES, MACS, PORTS = Mix.addresses, Mix.macs, Mix.ports
#: Patterns of bytes that differ between packets of `Mix`: Ethernet types, IP protocols, ARP operations, ports.
PATTERNS = ("12/0800", "12/0806", "12/0806 20/0001", "23/11", "9/06", "0/45", "14/4?", "!12/0800", "36/0050", "20/20%20", "2/00??")
PRIMITIVES = (
    "tcp", "udp", "icmp", "icmp type echo", "tcp dst port 80", "src port 53", "dst port > 1023", "ip frag", "ip unfrag", "ip vers 4",
    "ip hl 5", "ip ttl < 32", "ip dscp 0", "ack", "syn && !ack", "src 10.0.0.1", "dst net 10.0.1.0/24", "host 10.0.0.2", "ip len > 100",
)  # fmt: skip


def expression(random: Random, depth: int = 2) -> str:
    """A filter expression of IPClassifier and IPFilter."""
    if not depth or random.random() < 0.4:
        return random.choice(PRIMITIVES)
    operator = random.choice(("&&", "||", "and", "or"))
    text = f"({expression(random, depth - 1)} {operator} {expression(random, depth - 1)})"
    return f"!{text}" if random.random() < 0.2 else text


def address(random: Random) -> str:
    return random.choice(ADDRESSES)


def mac(random: Random) -> str:
    return random.choice(MACS)


def routes(random: Random) -> Chosen:
    """Nested and overlapping prefixes; most tables have a default route."""
    outputs = random.randint(1, 3)
    prefixes = {"0.0.0.0/0"} if random.random() < 0.8 else {"10.0.0.0/8"}
    prefixes |= {f"{address(random)}/{random.choice((8, 15, 16, 22, 24, 25, 31, 32))}" for _ in range(random.randint(1, 9))}
    by_network = {_network(prefix): prefix for prefix in sorted(prefixes)}
    lines = [f"{prefix} {random.choice(('', address(random) + ' '))}{random.randrange(outputs)}" for prefix in by_network.values()]
    lines[0] = lines[0].rsplit(" ", 1)[0] + f" {outputs - 1}"
    return ", ".join(lines), outputs


def _network(prefix: str) -> tuple[int, int]:
    text, length = prefix.split("/")
    bits = int.from_bytes(bytes(map(int, text.split("."))), "big")
    return bits >> (32 - int(length)) << (32 - int(length)), int(length)


def alternatives(items: tuple[str, ...]) -> Callable[[Random], Chosen]:
    """Some of the items as patterns, usually followed by one for everything else."""

    def choose(random: Random) -> Chosen:
        chosen = random.sample(items, random.randint(1, 4)) + (["-"] if random.random() < 0.8 else [])
        return ", ".join(chosen), len(chosen)

    return choose


def classify(random: Random) -> Chosen:
    count = random.randint(1, 4)
    return ", ".join([*(expression(random) for _ in range(count)), "-"]), count + 1


def rules(random: Random) -> Chosen:
    actions = [f"{random.choice(('allow', 'deny', '1'))} {expression(random)}" for _ in range(random.randint(1, 5))]
    return ", ".join([*actions, "1 tcp", f"{random.choice(('allow', 'deny'))} all"]), 2


def number(low: int, high: int, outputs: int = 1) -> Callable[[Random], Chosen]:
    return lambda random: (str(random.randint(low, high)), outputs)


def one_of(*texts: str, outputs: int = 1) -> Callable[[Random], Chosen]:
    return lambda random: (random.choice(texts), outputs)


def switch(random: Random) -> Chosen:
    outputs = random.randint(1, 3)
    return str(random.randint(-1, outputs - 1)), outputs


def hashing(random: Random) -> Chosen:
    return f"{random.randint(0, 40)}, {random.randint(1, 12)}", random.randint(1, 5)


def tickets(random: Random) -> Chosen:
    outputs = random.randint(1, 3)
    return ", ".join(str(random.randint(1, 9)) for _ in range(outputs)), outputs


def store(random: Random) -> Chosen:
    return f"{random.randint(0, 60)}, \\<{random.randbytes(random.randint(1, 20)).hex()}>", 1


def encapsulation(random: Random) -> Chosen:
    protocol = random.choice(("ipip", "udp", "200"))
    more = random.choice(("", ", TTL 1", ", TOS 3", ", DSCP 46, ECT true", ", DF true"))
    return f"{protocol}, {address(random)}, {random.choice((address(random), 'DST_ANNO'))}{more}", 1


def ports(random: Random) -> str:
    return str(random.choice(PORTS))


ARGUMENTS: Mapping[str, Callable[[Random], Chosen]] = {
    "ARPResponder": lambda random: (f"{address(random)}/{random.choice((8, 24, 32))} {mac(random)}", random.randint(1, 2)),
    "Align": one_of("4, 0", "4, 2", "8, 6"),
    "AverageCounter": one_of(""),
    "CheckIPHeader": one_of("", "14", "INTERFACES 10.0.0.1/24", "OFFSET 2, CHECKSUM false", outputs=2),
    "CheckIPHeader2": one_of("", "14", outputs=2),
    "CheckLength": number(20, 120, outputs=2),
    "CheckPaint": number(0, 3, outputs=2),
    "Classifier": alternatives(PATTERNS),
    "Counter": one_of(""),
    "DecIPTTL": one_of("", "ACTIVE true", "MULTICAST false", outputs=2),
    "DirectIPLookup": routes,
    "DropBroadcasts": lambda random: ("", random.randint(1, 2)),
    "EtherEncap": lambda random: (f"{random.choice(('0x0800', '0x86dd', '0x1234'))}, {mac(random)}, {mac(random)}", 1),
    "EtherRewrite": lambda random: (f"{mac(random)}, {mac(random)}", 1),
    "EtherVLANEncap": lambda random: (f"0x0800, {mac(random)}, {mac(random)}, VLAN_ID {random.randint(0, 4095)}", 1),
    "FixIPSrc": lambda random: (address(random), 1),
    "GetIPAddress": lambda random: (random.choice(("12", "16", "26", "30", "OFFSET 16", "ANNO 4, OFFSET 12")), 1),
    "HashSwitch": hashing,
    "HostEtherFilter": lambda random: (f"{mac(random)}{random.choice(('', ', DROP_OWN true', ', DROP_OTHER false'))}", 2),
    "IPClassifier": classify,
    "IPEncap": encapsulation,
    "IPFilter": rules,
    "IPFragmenter": one_of("68", "100", "576", "1500", "100, HONOR_DF false", outputs=2),
    "IPGWOptions": lambda random: (address(random), 2),
    "LinearIPLookup": routes,
    "MarkIPHeader": number(0, 18),
    "MarkMACHeader": one_of("", "0, 14", "2"),
    "Pad": one_of("", "60", "100", "1000"),
    "Paint": number(0, 3),
    "PaintSwitch": one_of("", outputs=3),
    "PaintTee": number(0, 3, outputs=2),
    "RadixIPLookup": routes,
    "RangeIPLookup": routes,
    "RoundRobinSwitch": lambda random: ("", random.randint(1, 3)),
    "SetIPAddress": lambda random: (address(random), 1),
    "SetIPDSCP": number(0, 63),
    "SetIPECN": one_of("no", "ect1", "ect2", "ce"),
    "SetPacketType": one_of("HOST", "BROADCAST", "MULTICAST", "OTHERHOST"),
    "SetVLANAnno": number(0, 4095),
    "StaticIPLookup": routes,
    "StaticSwitch": switch,
    "StoreData": store,
    "StoreIPAddress": lambda random: (random.choice(("12", "16", "src", "dst", f"{address(random)}, 26")), 1),
    "StrideSwitch": tickets,
    "Strip": number(0, 24),
    "Switch": switch,
    "Tee": lambda random: ("", random.randint(1, 3)),
    "Truncate": number(10, 120),
    "UDPIPEncap": lambda random: (f"{address(random)}, {ports(random)}, {address(random)}, {ports(random)}", 1),
    "VLANEncap": one_of("7", "ANNO", "0x600a", "VLAN_ID 4095, VLAN_PCP 7"),
}
