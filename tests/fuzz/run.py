"""All fuzzers, for this many minutes together: `python -m tests.fuzz.run MINUTES [SEED]`, in a folder where bad inputs may stay.

Half of the time is the elements', whose classes take turns, in an order that the seed says; the other fuzzers share the rest. The
exit status is 0 if nothing was found; what was found is printed, and goes on being looked for.
"""

import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from tests.fuzz import control, dumps, elements, language

from clickbpf.testing.examples import examples
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.sources import c_source

#: Seconds for a class at least, and files in one process.
LEAST, FILES = 5, 2000
#: Elements whose examples open sockets or run programs: not in this process's network.
OUTSIDE = {"sockets", "control", "devices"}


def until(end: float, inputs: Iterator, try_one: Callable) -> list[str]:
    """What was found, each kind once."""
    found: dict[str, str] = {}
    for each in inputs:
        if time.monotonic() > end:
            break
        try:
            try_one(each)
        except Exception as error:  # whatever it is, it is a defect
            place = traceback.extract_tb(error.__traceback__)[-1]
            found.setdefault(f"{type(error).__name__} at {place.filename}:{place.lineno}", f"{error}\n    input: {each!r}")
    return [f"{what}: {how}" for what, how in found.items()]


def fuzz_control(end: float, seed: int) -> list[str]:
    with control.Target() as target:
        return until(end, control.inputs(seed), target.try_one)


def fuzz_language(end: float, seed: int) -> list[str]:
    return until(end, language.inputs(seed), language.try_one)


def fuzz_dumps(end: float, seed: int) -> list[str]:
    found = []
    while time.monotonic() < end:
        done = dumps.spawn(seed, FILES, Path.cwd())
        if done.returncode:
            for path in Path.cwd().glob("bad-*"):
                path.rename(f"kept-{seed}-{path.name}")
            found.append(f"dumps of seed {seed}: {done.stderr[-3000:]}")
        seed += 1
    return found


def fuzz_elements(end: float, seed: int) -> list[str]:
    library = Library.standard()
    names = [name for name in library.names() if (source := c_source(library.find(name))) and source.parent.name not in OUTSIDE]
    names = [name for name in names if examples(library.find(name), library)]
    Random(seed).shuffle(names)
    share, found = max(LEAST, (end - time.monotonic()) / len(names)), []
    for name in names:
        if time.monotonic() > end:
            break
        options = [f"-max_total_time={share:.0f}", f"-seed={seed}", "-close_fd_mask=1", f"-artifact_prefix={name}-"]
        done = elements.spawn([name], options, Path.cwd())
        if done.returncode:
            found.append(f"{name}: {done.stderr[-3000:]}")
    return found


#: Each with its part of the time.
FUZZERS = ((fuzz_elements, 0.5), (fuzz_dumps, 0.25), (fuzz_language, 0.15), (fuzz_control, 0.1))


def main(words: list[str]) -> int:
    seconds, seed = 60 * float(words[0]), int(words[1]) if len(words) > 1 else int(time.time())
    bad = 0
    for fuzzer, part in FUZZERS:
        found = fuzzer(time.monotonic() + part * seconds, seed)
        print(f"{fuzzer.__name__}, seed {seed}, {part * seconds:.0f} s: {len(found)} found", *found, sep="\n", flush=True)
        bad += len(found)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
