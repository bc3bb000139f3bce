"""The rule of PUNT: an element that punts a packet must have changed neither the packet nor its own state.

The runtime runs the element again on the packet, so any change before the PUNT would be made twice. The packet as it reached the element
is found by running the same router with the element placed in user space: that router hands over right before the element, and both
handovers must be equal, byte for byte.
"""

import struct
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from clickbpf.frozen import frozen
from clickbpf.testing.diff import difference
from clickbpf.testing.equivalence import Packets, arrivals
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import HANDED, Bpf
from clickbpf.testing.packets import Mix
from clickbpf.testing.single import NAME, Surroundings
from clickbpf.testing.sites import Site, observed

#: Of struct handover: the configuration's hash, element, port, size of the record, and after four offsets `trim`.
_HEAD = struct.Struct("=IHBB8xH")
_TRIM = 16


@frozen
class Punts:
    """An element's PUNTs in a test: the `count` of packets it punted, all PUNTs in its text (`sites`), and those that packets `reached`."""

    count: int
    sites: frozenset[Site]
    reached: frozenset[Site]


def assert_punts_unchanged(
    *surroundings: Any,
    packets: Packets = 1000,
    seed: int = 0,
    mix: Mix = Mix(),
    writes: Iterable[tuple[str, str]] = (),
    **options: Any,
) -> Punts:
    """AssertionError for the first packet that the element punts after it has changed the packet or its own state.

    The arguments of its Surroundings come first. `writes` are calls of its write handlers before the first packet:
    ("insert", "10.0.0.1 2:0:0:0:0:1"). The runtime continues with punted packets, so that state changes as in a running router.
    """
    around, options = Surroundings.among(surroundings, options)
    text = around.text()
    watched = observed(NAME)
    count, reached = 0, set()
    at_entry = {**options, "user": frozenset({NAME})}
    with ExitStack() as running:
        router, reference = running.enter_context(start(text, watched, **options)), None
        for handler, value in writes:
            router.write(f"{NAME}.{handler}", value)
        for device, packet, _ in arrivals(packets, router.entries, ("bpf",), seed, mix):
            if not Bpf.testable(packet):
                continue
            state = _state(router)
            verdict, _, crossing = router.run(device, packet)
            if router.site:
                count += 1
                reached.add(router.site)
                reference = reference or running.enter_context(start(text, "bpf", **at_entry))  # only now: many elements never punt
                _, _, expected = reference.run(device, packet)
                differs = _difference(expected, crossing, verdict) or _changed(state, _state(router), verdict)
                if differs:
                    raise AssertionError(f"{around.element} PUNTs {packet.hex(' ')}\nat {router.site}, but before that {differs}")
            if verdict == HANDED:
                router.runtime.handover(crossing, device)
                router.collect()
    return Punts(count, frozenset(router.sites), frozenset(reached))


def _difference(expected: bytes, crossing: bytes, verdict: int) -> str | None:
    """Compare the two handovers. Frames that were dropped because they had no room for a record must be equal as well."""
    handovers = expected, crossing
    (entered, before), (punted, after) = map(_parts, handovers) if verdict == HANDED else ((b"", frame) for frame in handovers)
    titles = ("at its input", "when it PUNTs")
    differs = difference(before, after, (), titles)
    if differs:
        return f"it changes the packet: {differs}"
    if entered != punted:
        records = f"  {entered.hex(' ', 4)} {titles[0]}\n  {punted.hex(' ', 4)} {titles[1]}"
        return f"it changes annotations or offsets; the handover's record, without trim, is\n{records}"
    return None


def _parts(handover: bytes) -> tuple[bytes, bytes]:
    """The record, and the frame up to the packet's end: an element before may have cut the frame, or have left that to `trim`."""
    *_, size, trim = _HEAD.unpack_from(handover)
    return handover[:_TRIM] + handover[_TRIM + 2 : size], handover[size : len(handover) - trim]


def _state(router: Bpf) -> dict[str, bytes]:
    """The bytes of the element's state and drop counters."""
    views = {**router.runtime.views[NAME], "drops": router.runtime.drop_counts}
    return {name: view.content() for name, view in views.items()}


def _changed(before: dict[str, bytes], after: dict[str, bytes], verdict: int) -> str | None:
    """A message about state that has changed, or None; drop counters may change if the packet was dropped."""
    changed = [name for name, content in before.items() if after[name] != content and (name != "drops" or verdict == HANDED)]
    return f"it changes its state: {', '.join(changed)}" if changed else None
