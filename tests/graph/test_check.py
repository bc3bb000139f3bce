"""What passes the checks compiles: random routers of the library's classes, with mistakes and with most of them mended.

CLICKBPF_EXAMPLES=2000 pytest ... looks at more of them.
"""

import os
from dataclasses import dataclass, field
from functools import cache
from random import Random

import pytest
from tests.axes import few
from tests.hooks import hooks

from clickbpf.compile import Compilation, check_text
from clickbpf.errors import ClickError
from clickbpf.graph.checked import CheckedRouter
from clickbpf.graph.codes import PULL
from clickbpf.graph.ports import End
from clickbpf.graph.router import Port
from clickbpf.plan import Options
from clickbpf.testing.examples import Example, examples
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.traits import MANAGES_DRIVER

EXAMPLES = int(os.environ.get("CLICKBPF_EXAMPLES", "200"))
LIBRARY = Library.standard()
#: What may stand on a connection.
BETWEEN = ("->", "->", "-> Queue ->", "-> Unqueue ->", "-> Null ->", "-> Queue -> Unqueue ->", "-> Unqueue -> Queue ->")
#: Scripts of which two decide when the driver stops, or more.
SCRIPTS = ("DriverManager(pause)", "Script(TYPE DRIVER, pause)", "Script(pause)")


@cache
def parts() -> tuple[Example, ...]:
    """An element of each class, as its manual page uses it."""
    found = (examples(LIBRARY.find(name), LIBRARY)[:1] for name in LIBRARY.names())
    return tuple(example for first in found for example in first)


@dataclass
class Growing:
    """A router with one statement a line, which is how its mistakes are found in it."""

    random: Random
    lines: list[str] = field(default_factory=list)

    def grow(self) -> None:
        """Elements whose every port is connected, to the next one's or to anything: cycles, reuse and bad modes are welcome."""
        chosen = self.random.choices(parts(), k=self.random.randint(1, 6))
        self.lines = [f"e{number} :: {part.element};".replace("\n", " ") for number, part in enumerate(chosen)]
        inputs = [f"[{port}] e{number}" for number, part in enumerate(chosen) for port in range(part.ninputs)]
        outputs = [f"e{number} [{port}]" for number, part in enumerate(chosen) for port in range(part.noutputs)]
        self.random.shuffle(inputs)
        for output in outputs:
            target = inputs.pop() if inputs and self.random.random() < 0.8 else "Discard"
            self.connect(output, target)
        for target in inputs:
            source = self.random.choice(outputs) if outputs and self.random.random() < 0.2 else "Idle"
            self.connect(source, target)
        self.lines += (f"{script};" for script in SCRIPTS if self.random.random() < 0.1)

    def connect(self, source: str, target: str) -> None:
        self.lines.append(f"{source} {self.random.choice(BETWEEN)} {target};")

    def mend(self, wrong: set[int]) -> None:
        """Do something else in these lines."""
        for number in wrong:
            before, arrow, after = self.lines[number].partition("->")
            if not arrow:
                self.lines[number] = ""
                continue
            source, target = before.strip(), after.rpartition("->")[2].strip(" ;")
            self.lines[number] = ""
            if self.random.random() < 0.5:
                self.connect(source, target)
            else:
                self.connect(source, "Discard")
                self.connect("Idle", target)


def compiles(text: str, sound: list[str]) -> set[int]:
    """Compile a router if it passes the checks, and note it; the lines with mistakes if it doesn't."""
    try:
        checked = check_text(text, LIBRARY)
    except ClickError as error:
        assert all(d.place for d in error.diagnostics), error
        return {d.place.line - 1 for d in error.diagnostics if d.severity == "error"}
    sound.append(text)
    assert all(pull_ends(checked, output) for output in pull_outputs(checked)), text
    assert all(is_fed(checked, name) for name in {output.element for output in pull_outputs(checked)}), text
    assert sum(MANAGES_DRIVER in instance.traits for instance in checked.instances.values()) <= 1, text
    made = Compilation(checked, Options(hook=hooks(checked)[0]))
    assert made.bpf_text and made.manifest and made.native(threads=4).code
    return set()


def pull_outputs(checked: CheckedRouter) -> list[Port]:
    return [Port(name, n) for name, modes in checked.processing.items() for n, mode in enumerate(modes.outputs) if mode == PULL]


def pull_ends(checked: CheckedRouter, output: Port, way: tuple[Port, ...] = ()) -> bool:
    """Whether no pull from this output comes by the output again."""
    if output in way:
        return False
    modes = checked.processing[output.element].inputs
    ends = [end for end in checked.shapes[output.element].through(End(output, True)) if modes[end.port.port] == PULL]
    sources = [c.source for end in ends for c in checked.router.connections_to(output.element, end.port.port)]
    return all(pull_ends(checked, source, (*way, output)) for source in sources)


def is_fed(checked: CheckedRouter, name: str) -> bool:
    """Whether a pulled element knows the input to pull from: by itself, by its flow code, or because there is one."""
    element, modes = checked.instances[name], checked.processing[name]
    return "pull" in element.entries or element.flow == "#/#" or (len(modes.inputs), modes.outputs.count(PULL)) == (1, 1)


@pytest.mark.parametrize("part", few(range(10), 2))
def test_what_passes_the_checks_compiles(part):
    sound: list[str] = []
    for seed in range(part, EXAMPLES, 10):
        growing = Growing(Random(seed))
        growing.grow()
        for _ in range(20):
            text = "\n".join(growing.lines)
            wrong = compiles(text, sound)
            if not wrong:
                break
            growing.mend(wrong)
    assert len(sound) > EXAMPLES / 10 / 3, "many can be mended"
    assert sum("Queue" in text for text in sound) > len(sound) / 2
