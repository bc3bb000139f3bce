"""The blocks of code of a page, with what is said about running them.

A block that begins with a comment that is a file's name (`// cable.click`, `# test_it.py`, `/* mine/it.c */`) is that file. A comment
right before a block, `<!-- not run: REASON -->`, leaves it out. A comment on a line of its own, `<!-- stage: NAME -->`, says where
the page's commands run (stage.py).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: Where a block's command line begins. `#` is root's, in the router's namespace if the stage has one, `left#` and `right#` a host's.
PROMPT = re.compile(r"(#|\$|left#|right#) (.*)")
#: What is typed into the shell that the command before it has started.
TYPED = re.compile(r"eth0# (.*)")
NAMED = re.compile(r"(?://|#|/\*) ([\w/.-]+\.(?:click|py|c))\b")


@dataclass(frozen=True)
class Block:
    """A fenced block: `number` is the line of the page where it begins, `reason` why it isn't run, or ''."""

    language: str
    lines: tuple[str, ...]
    number: int
    reason: str

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    @property
    def file(self) -> str | None:
        """The path that its first line names."""
        named = NAMED.match(self.lines[0]) if self.lines else None
        return named[1] if named else None


@dataclass
class Command:
    """A command line with its prompt, what is typed into the shell that it starts, and the lines of output that are shown."""

    line: str
    prompt: str = "$"
    typed: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)


def pages() -> list[Path]:
    """The texts that people write."""
    return [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(text: str) -> Iterator[Block]:
    lines = iter(enumerate(text.splitlines(), 1))
    reason = ""
    for number, line in lines:
        said = re.fullmatch(r"<!-- not run: (.+) -->", line)
        if said:
            reason = said[1]
        elif line.startswith("```"):
            inside = []
            for _, each in lines:
                if each == "```":
                    break
                inside.append(each)
            yield Block(line[3:].strip(), tuple(inside), number, reason)
            reason = ""
        elif line:
            reason = ""


def stage(text: str) -> str | None:
    named = re.search(r"^<!-- stage: (.+) -->$", text, re.MULTILINE)
    return named[1] if named else None


def commands(block: Block) -> list[Command]:
    """The commands of a `console` block. A line that ends in a backslash goes on in the next one."""
    found: list[Command] = []
    for line in re.sub(r"\\\n\s*", "", block.text).splitlines():
        prompt, typed = PROMPT.fullmatch(line), TYPED.fullmatch(line)
        if prompt:
            found.append(Command(prompt[2], prompt[1]))
        elif typed:
            found[-1].typed.append(typed[1])
        elif line.strip() != "...":
            assert found, f"line {block.number}: a console block begins with a command"
            found[-1].shown.append(line)
    return found
