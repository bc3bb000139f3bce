"""What a profile is worth: the BPF instructions of packets through a filter, compiled without one, and for packets nineteen of twenty of
which are of the same rule."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Packet
from tests.bench import executed
from tests.bench.effort import Effort
from tests.bench.loaded import Loaded

from clickbpf.compile import check_file
from clickbpf.plan import Options
from clickbpf.plan.profile import Profile
from clickbpf.vocabulary.library import Library

FIREWALL = Path(__file__).parents[2] / "configs" / "firewall.click"
BASTION, INSIDE, MAIL, NAMES = "198.51.100.10", "192.0.2.77", "192.0.2.25", "192.0.2.53"
#: The number of a rule of the firewall, and a packet that it takes.
PACKETS = {
    "SSH": (4, IP(src="8.8.8.8", dst=INSIDE) / TCP(sport=4000, dport=22)),
    "mail": (10, IP(src=BASTION, dst=MAIL) / TCP(sport=4000, dport=25)),
    "names by UDP": (13, IP(src=BASTION, dst=NAMES) / UDP(sport=53, dport=53)),
    "names by TCP": (15, IP(src=BASTION, dst=NAMES) / TCP(sport=4000, dport=53)),
}
MAIL_WITHOUT = "mail"
#: Packets of that rule, and of all others together.
MOST, REST = 1900, 100


def count(_effort: Effort) -> Iterator[tuple[str, float]]:
    """(kind of packet, instructions), without a profile and with one."""
    for name, (rule, packet) in PACKETS.items():
        yield name, instructions(packet, Options())
        yield f"{name}, with a profile", instructions(packet, Options(profile=profile(rule)))


def profile(rule: int) -> Profile:
    """As `clickbpf profile` counts it where most packets are of this rule."""
    names = check_file(FIREWALL, Library.standard()).instances["filter"].ways.names
    packets = [MOST if number == rule else REST // len(names) for number in range(len(names))]
    return Profile.counted([("filter", name) for name in names], packets)


def instructions(packet: Packet, options: Options) -> int:
    with ExitStack() as undo:
        program = Loaded(undo, check_file(FIREWALL, Library.standard()), options).program("eth0")
        return executed.executed(program, bytes(Ether(src="02:00:00:00:00:02", dst="02:00:00:00:00:10") / packet / bytes(20)))
