import random
import secrets

from clickbpf.declare import CONTROL, ArgError, Integer, Optional, Reconfigurable, read_handler, write_handler

SEED = Integer(32)


class RandomSeed(Reconfigurable, ports="0/0", runs=CONTROL):
    """sets the seed of random numbers

    With the same seed, elements such as RandomSample draw the same numbers in each run, if they run in the runtime, with one
    thread. The kernel's random numbers can't be seeded: to repeat all numbers, run the router with --no-kernel.

    Example:

        RandomSeed(42);
        FromDevice(eth0) -> s :: RandomSample(0.5) -> Discard;
    """

    args = (Optional("SEED", SEED, text="an integer from 0 to 4294967295. Default is an unpredictable seed, as without the element"),)

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
        """the argument. Writing an empty text sets an unpredictable seed."""
        return "" if self._seed is None else str(self._seed)

    set_seed = write_handler(lambda self, text: self._plant(SEED.parse(text.strip()) if text.strip() else None), name="seed")

    #: The seed set last.
    _seed: int | None = None
