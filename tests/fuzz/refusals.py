"""Whether `check` finds what `run` and `load` refuse: routers with and without mistakes are taken by all of them, or by none.

    python -m tests.fuzz.refusals [ROUTERS] [SEED]

A router that `check` takes is planned and written in C for both hooks, compiled for the runtime and initialised, all without a
complaint but those about the machine: files, devices and rights that are missing. A router that `check` refuses is refused by
`run` and `load` with the same words, before they touch anything. Routers are compiled many at a time, as compounds of one.
"""

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.fuzz.language import changed, sound
from tests.hooks import hooks

from clickbpf.cli.main import main
from clickbpf.compile import Compilation, check_text
from clickbpf.errors import ClickError
from clickbpf.plan import Options
from clickbpf.runtime.host import Runtime
from clickbpf.testing.graphs import random_graph
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
#: Classes that open what the machine has, or end the process: they are checked and compiled, but not initialised.
FAMILIES = {"sockets", "control", "devices", "trace", "threads", "information"}
#: Routers in one compilation.
TOGETHER = 20


@dataclass
class Findings:
    """How many routers were taken and refused by all; and where commands disagree, a text each."""

    taken: int = 0
    refused: int = 0
    initialised: int = 0
    differences: list[str] = field(default_factory=list)


def routers(seed: int) -> Iterator[str]:
    """Every other one is as it was written or made by chance, the others have up to four changes."""
    random, texts = Random(seed), sound()
    while True:
        text = random.choice(texts) if random.random() < 0.5 else random_graph(random, LIBRARY)
        yield text
        yield changed(random, text, texts)


def compare(texts: Iterable[str], initialise: bool = True) -> Findings:
    findings, waiting = Findings(), []
    for text in texts:
        try:
            checked = check_text(text, LIBRARY)
        except ClickError as error:
            findings.refused += 1
            findings.differences += _said_otherwise(text, error)
            continue
        findings.taken += 1
        wrong = _not_written(checked)
        findings.differences += [f"{each}\n    of a router that check takes: {text!r}" for each in wrong]
        if initialise and not wrong and _harmless(checked):
            waiting.append(text)
    for first in range(0, len(waiting), TOGETHER):
        findings.differences += _not_initialised(waiting[first : first + TOGETHER])
    findings.initialised = len(waiting)
    return findings


def _said_otherwise(text: str, error: ClickError) -> list[str]:
    """What `run` and `load` say of a router that `check` refuses, if it is something else."""
    if "\0" in text or any(0xD800 <= ord(letter) < 0xE000 for letter in text):
        return []  # no argument of a command
    said = {command[0]: _output(*command, "-e", text) for command in (("check",), ("run", "-q"), ("load", "-n", "refused"))}
    return [f"{name} says {other!r}, check {said['check']!r}: {text!r}" for name, other in said.items() if other != said["check"]]


def _output(*arguments: str) -> tuple[int, str]:
    """Status of a command, run in this process, and what it prints on standard error."""
    printed = io.StringIO()
    with contextlib.redirect_stderr(printed), contextlib.redirect_stdout(io.StringIO()):
        try:
            status = main(list(arguments))
        except SystemExit as error:
            status = error.code
    return status, printed.getvalue()


def _not_written(checked) -> list[str]:
    """What goes wrong in the stages after the check, up to the C texts and the manifest."""
    wrong = []
    for hook in hooks(checked):
        try:
            made = Compilation(checked, Options(hook=hook))
            made.native().code  # noqa: B018 - it is made when it is asked for
            if made.has_kernel_path:
                made.manifest.to_json(), made.bpf_text
        except Exception as error:  # whatever it is, it came too late
            wrong.append(f"{hook}: {type(error).__name__}: {error}")
    return wrong


def _harmless(checked) -> bool:
    return not any(type(e).__module__.split(".")[1] in FAMILIES - {"devices"} for e in checked.instances.values())


def _not_initialised(texts: list[str]) -> list[str]:
    """What the runtime refuses of routers that check takes; all at once, and one by one if that fails or they don't agree."""
    together = "".join(f"elementclass R{number} {{ {text}\n}} r{number} :: R{number};\n" for number, text in enumerate(texts))
    try:
        check_text(together, LIBRARY)
        if len(texts) > 1 and not _refusal(together):
            return []
    except ClickError:
        pass  # a device that two of them receive from, or the like
    if len(texts) == 1:
        why = _refusal(texts[0])
        return [f"run: {why}\n    of a router that check takes: {texts[0]!r}"] if why else []
    half = len(texts) // 2
    return [*_not_initialised(texts[:half]), *_not_initialised(texts[half:])]


def _refusal(text: str) -> str | None:
    try:
        runtime = Runtime(Compilation(check_text(text, LIBRARY)))
        try:
            runtime.add_memory_devices()
            runtime.initialise()
        finally:
            runtime.close()
    except ClickError as error:
        return str(error)
    return None


def run(count: int, seed: int, initialise: bool = True) -> Findings:
    source = routers(seed)
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:  # where routers may write
        os.chdir(folder)
        try:
            return compare((next(source) for _ in range(count)), initialise)
        finally:
            os.chdir(here)


if __name__ == "__main__":
    wanted = [int(word) for word in sys.argv[1:]]
    found = run(wanted[0] if wanted else 2000, wanted[1] if len(wanted) > 1 else 1)
    print(f"{found.taken} taken ({found.initialised} initialised), {found.refused} refused, {len(found.differences)} differences")
    print("\n".join(found.differences))
    sys.exit(bool(found.differences))
