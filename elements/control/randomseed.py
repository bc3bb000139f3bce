from __future__ import annotations

import random
import secrets

from clickbpf.args import ArgError, Integer, Optional
from clickbpf.vocabulary.element import CONTROL, Element, read_handler, write_handler

SEED = Integer(32)


class RandomSeed(Element):
    """sets the seed of random numbers

    Synopsis: `RandomSeed([SEED])`

    Elements such as RandomSample draw the same numbers in each run that begins with the same seed. This holds for elements that
    run in the runtime, with one thread; the seed of the kernel's random numbers can't be set, so run the router with --no-kernel
    if that matters.

    Arguments:

      - SEED: an integer from 0 to 4294967295. Default is an unpredictable seed, as without the element.

    Ports: none.

    Handlers:

      - `seed` (read, write): the argument. An empty text sets an unpredictable seed.

    Example:

        RandomSeed(42);
        FromDevice(eth0) -> s :: RandomSample(0.5) -> Discard;
    """

    ports = "0/0"
    runs = CONTROL
    reconfigurable = True
    args = (Optional("SEED", SEED),)

    def initialise(self) -> None:
        if self.runtime is not None:
            self._plant(self.cfg.seed)

    def _plant(self, seed: int | None) -> None:
        """Seed the generators of the runtime's threads and Python's."""
        if self.runtime is None:
            raise ArgError("there is no runtime whose random numbers could be set")
        self._seed = seed
        number = secrets.randbits(64) if seed is None else seed
        random.seed(number)
        self.runtime.seed(number)

    @read_handler
    def seed(self) -> str:
        return "" if self._seed is None else str(self._seed)

    @write_handler("seed")
    def set_seed(self, text: str) -> None:
        self._plant(SEED.parse(text.strip()) if text.strip() else None)

    #: What was set last.
    _seed: int | None = None
