"""Input that reaches the PUNTs of an element: the arguments of `assert_punts_unchanged`, as a value."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from clickbpf.frozen import frozen
from clickbpf.testing.equivalence import Packets
from clickbpf.testing.packets import Mix
from clickbpf.testing.single import Surroundings

#: Elements that leave less headroom than any header needs: XDP has 256 bytes, including struct xdp_frame.
FULL = " -> ".join(["EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2)"] * 15)


@frozen
class Reach(Surroundings):
    packets: Packets = 100
    mix: Mix = Mix()
    writes: Sequence[tuple[str, str]] = ()

    @property
    def class_name(self) -> str:
        return self.element.partition("(")[0]

    @property
    def arguments(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}
