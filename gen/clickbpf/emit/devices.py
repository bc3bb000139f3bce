"""C about devices, the same text for both executors."""

from __future__ import annotations

from collections.abc import Sequence

from clickbpf.objects.made import MadeDevice


def is_made(devices: Sequence[str], made: Sequence[MadeDevice]) -> str:
    """The function `device_is_made(device)`: whether the router has made it, so that the other end is Linux's."""
    numbers = [devices.index(each.device) for each in made]
    test = " || ".join(f"device == {number}" for number in numbers) or "false"
    return f"static __always_inline __attribute__((unused)) bool device_is_made(int device)\n{{\n\t(void)device;\n\treturn {test};\n}}\n"
