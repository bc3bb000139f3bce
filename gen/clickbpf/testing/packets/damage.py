"""Damaging a frame: truncating it anywhere, changing bytes, adding bytes."""

from random import Random

from clickbpf.testing.packets.choice import content


def damage(random: Random, frame: bytes) -> bytes:
    """The frame truncated at any byte, with one to three bytes changed near its start, or longer than its headers say."""
    kind = random.randrange(4)
    if kind < 2 or not frame:
        return frame[: random.randrange(len(frame) + 1)]
    if kind == 2:
        return _corrupt(random, frame)
    return frame + content(random, 1 + random.randrange(30))


def _corrupt(random: Random, frame: bytes) -> bytes:
    """Change bytes where the headers are: within the first 60 bytes."""
    changed = bytearray(frame)
    for _ in range(1 + random.randrange(3)):
        changed[random.randrange(min(len(changed), 60))] = random.randrange(256)
    return bytes(changed)
