"""The rule of PUNT: an element that gives a packet up has changed neither the packet nor its state.

The runtime starts the element again on the packet, so what was done before the PUNT would be done twice. To see what the
packet was when it reached the element, the same router is run with that element placed in user space: then the handover
comes right before it, and must be the same, byte for byte, as the one that the PUNT makes.
"""

from __future__ import annotations

import struct
from typing import Any

from clickbpf.testing.diff import difference
from clickbpf.testing.equivalence import Packets, arrivals
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import HANDED, Bpf
from clickbpf.testing.packets import Mix
from clickbpf.testing.single import NAME, element_configuration

#: The head of struct handover: the configuration's hash, element, port, size of the record.
_HEAD = struct.Struct("=IHBB")


def assert_punts_unchanged(
    element: str,
    ninputs: int = 1,
    noutputs: int = 1,
    headers: str = "ethernet",
    before: str = "",
    declarations: str = "",
    packets: Packets = 1000,
    *,
    seed: int = 0,
    mix: Mix = Mix(),
    **options: Any,
) -> int:
    """AssertionError for the first packet that the element changes, or changes its state for, and then PUNTs.

    The element is in the surroundings of `element_configuration`. Returns the number of packets that it PUNTed.
    """
    text = element_configuration(element, ninputs, noutputs, headers, before, declarations)
    punted = 0
    at_entry = {**options, "user": frozenset({NAME})}
    with start(text, "bpf", **options) as router, start(text, "bpf", **at_entry) as reference:
        for device, packet in arrivals(packets, router.entries, ("bpf",), seed, mix):
            if not Bpf.testable(packet):
                continue
            state = _state(router)
            verdict, _, crossing = router.run(device, packet)
            if verdict != HANDED or not _punted(router, crossing):
                continue
            punted += 1
            _, _, expected = reference.run(device, packet)
            differs = _difference(expected, crossing) or _changed(state, _state(router))
            if differs:
                raise AssertionError(f"{element} PUNTs {packet.hex(' ')}\nbut before that {differs}")
    return punted


def _punted(router: Bpf, crossing: bytes) -> bool:
    """Whether the handover is one of the element's own: the runtime is to go on with the element itself."""
    return _HEAD.unpack_from(crossing)[1] == router.compilation.plan.index[NAME]


def _difference(expected: bytes, crossing: bytes) -> str | None:
    size = _HEAD.unpack_from(expected)[3]
    titles = ("at its input", "when it PUNTs")
    differs = difference(expected[size:], crossing[size:], (), titles)
    if differs:
        return f"it changes the packet: {differs}"
    if expected != crossing:
        records = f"  {expected[:size].hex(' ', 4)} {titles[0]}\n  {crossing[:size].hex(' ', 4)} {titles[1]}"
        return f"it changes annotations or offsets; the handover's record is\n{records}"
    return None


def _state(router: Bpf) -> dict[str, bytes]:
    """The bytes of everything that the element remembers, its drop counters included."""
    views = {**router.runtime.views[NAME], "drops": router.runtime.drop_counts}
    return {name: view.content() for name, view in views.items()}


def _changed(before: dict[str, bytes], after: dict[str, bytes]) -> str | None:
    changed = [name for name, content in before.items() if after[name] != content]
    return f"it changes its state: {', '.join(changed)}" if changed else None
