"""Valid and invalid Ethernet frames for tests: thousands from a seed, or as a hypothesis strategy.

Both come from one description, `frame(random, mix)`: with `random.Random(seed)` it takes some 15 µs a frame and gives
the same frames every time; with hypothesis's random numbers a failing frame is shrunk towards the plainest choices.

    for packet in generate(2000, seed=1): ...

    @given(frames(Mix(addresses=("10.0.0.1", "10.0.1.9"))))
    def test_it(packet: bytes): ...
"""

from random import Random

from hypothesis import strategies as st

from clickbpf.testing.packets.choice import choose
from clickbpf.testing.packets.damage import damage
from clickbpf.testing.packets.link import LINKS
from clickbpf.testing.packets.mix import IPV6, Mix

__all__ = ["IPV6", "Mix", "frame", "frames", "generate"]


def frame(random: Random, mix: Mix = Mix()) -> bytes:
    """One frame, drawn from `random` alone."""
    made = LINKS[choose(random, mix.links)](random, mix)
    return damage(random, made) if random.randrange(100) < mix.damaged else made


def frames(mix: Mix = Mix()) -> st.SearchStrategy[bytes]:
    """A hypothesis strategy of frames."""
    return st.randoms(use_true_random=False).map(lambda random: frame(random, mix))


def generate(count: int, seed: int = 0, mix: Mix = Mix()) -> list[bytes]:
    """`count` frames, always the same ones for a seed and a mix."""
    random, made = _streams.setdefault((seed, repr(mix)), (Random(seed), []))
    while len(made) < count:
        made.append(frame(random, mix))
    return made[:count]


#: By seed and mix, the random number generator and the frames so far: many tests use the same frames.
_streams: dict[tuple[int, str], tuple[Random, list[bytes]]] = {}
