"""What one more element costs on a fused path: the BPF instructions and nanoseconds of lines of 0 to 64 elements of a class."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache

from tests.bench import executed
from tests.bench.effort import Effort
from tests.bench.loaded import Loaded

from clickbpf.plan import Options

NUMBERS = (0, 4, 16, 64)
CLASSES = ("Null", "Counter", "Paint(1)", "Strip(14) -> Unstrip(14)")
#: Nothing is done to the packet that another run would find, so there may be many.
REPEAT, RUNS = 20_000, 4
#: However long the line is.
ONE_PROGRAM = Options(program_limit=32_000)


def measure(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(class, nanoseconds of one among the most, in each round)."""
    most = max(effort.up_to(NUMBERS))
    _, none = line("Null", 0, effort.rounds)
    for name in CLASSES:
        yield name, [(ns - without) / most for ns, without in zip(line(name, most, effort.rounds)[1], none)]


def count(effort: Effort) -> Iterator[tuple[str, float]]:
    """(class, instructions of one among the most)."""
    most = max(effort.up_to(NUMBERS))
    none, _ = line("Null", 0, effort.rounds)
    for name in CLASSES:
        yield name, (line(name, most, effort.rounds)[0] - none) / most


def measure_lines(effort: Effort) -> Iterator[tuple[str, int, list[float]]]:
    """(class, how many, nanoseconds of the line in each round)."""
    for name in CLASSES:
        for number in effort.up_to(NUMBERS):
            yield name, number, line(name, number, effort.rounds)[1]


def count_lines(effort: Effort) -> Iterator[tuple[str, int, float]]:
    """(class, how many, instructions of the line)."""
    for name in CLASSES:
        for number in effort.up_to(NUMBERS):
            yield name, number, line(name, number, effort.rounds)[0]


@cache
def line(element: str, number: int, rounds: int) -> tuple[int, list[float]]:
    """Instructions and nanoseconds of a packet through so many of them, one after the other, between two devices."""
    text = f"FromDevice(in) -> {f'{element} -> ' * number}Queue -> ToDevice(out);"
    with ExitStack() as undo:
        program, packet = Loaded.of_text(undo, text, options=ONE_PROGRAM).program(), bytes(range(64))
        # Before the others: later ones may work out rates, by helpers.
        instructions = executed.executed(program, packet)
        times = [min(program.test_run(packet, repeat=REPEAT).duration for _ in range(RUNS)) for _ in range(rounds)]
        return instructions, list(map(float, times))
