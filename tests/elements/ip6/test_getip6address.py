"""GetIP6Address: 16 bytes of the packet as its annotation."""

from ipaddress import IPv6Address

from tests.elements.ip6.packets import packet
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6

TRIALS = {
    "an address of the header": [
        Trial(f"GetIP6Address({offset})", headers="ip6").passes(packet(), annotations={0: IPv6Address(address).packed})
        for offset, address in [(8, "2001:db8::2"), (24, "2001:db8:1::2")]
    ],
    "a packet that is too short has none": Trial("GetIP6Address(24)", before="SetIP6Address(::5)")
        .gives(b"\xff" * 39, annotations={0: bytes(16)}).gives(b"\xff" * 40, annotations={0: b"\xff" * 16}),
}

CASES = [Case("GetIP6Address(38)", mix=IPV6)]
