"""Executes a Script's instructions.

A script is stepped by its timer, a driver stop event, its handlers, or packets. It then runs until an instruction ends the script,
or blocks (`pause`, `wait`) with no step left to pass it.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import BinaryIO

from clickbpf import digits
from clickbpf.declare import ArgError, Bool, Time, shift_word, split_words, unquote
from clickbpf.runtime.handlers import HandlerError, Handlers, full_name

from ._complaints import Complaints
from ._expand import expand
from ._instructions import ENDINGS, SETTING, Instruction, find_label

#: Jumps without blocking before a script is assumed to loop for ever.
MAX_JUMPS = 1000


class Step(Enum):
    """The source of a step: the driver, the timer, a write to `step`, or a run from another position."""

    NORMAL, ROUTER, TIMER, JUMP = range(4)


class Interpreter:
    """A script's position and variables. `element` is its Script, with the name, the handlers and the clock.

    `wait(nanoseconds)` and `clear()` set and stop the timer; `where()` is the place of instruction `at`, for complaints.
    """

    def __init__(
        self, element, script: list[Instruction], wait: Callable[[int], None], clear: Callable[[], None], where: Callable[[], str]
    ):
        self.element, self.script, self._wait, self._clear = element, script, wait, clear
        #: As in Click, all variables of the script's instructions exist from the start, empty.
        self.variables = {instruction.variable: "" for instruction in script if instruction.name in SETTING}
        self.complaints = Complaints(where)
        self.position = self.at = 0
        #: Whether the script has yet to begin; beginning takes a step.
        self._fresh = False
        self._paused_for: dict[int, int] = {}
        self._steps = 0
        self._more: int | None = None
        self._status = 0
        #: The handler running the script: its name, its arguments, and whether it is a write handler.
        self.handler, self.arguments, self.writing = "", "", False

    def initialise(self) -> None:
        """Set the variables of `init` and `export`."""
        for at, instruction in enumerate(self.script):
            if instruction.name in ("init", "initq", "export", "exportq"):
                self.at = at
                self._set(instruction)

    def begin(self) -> int | None:
        """The time until the first step, in nanoseconds; None if the script waits for a step by handler."""
        if self.script[0].name == "wait":
            return self._time(self.script[0])
        self._fresh = self.script[0].name != "pause"
        return 0 if self._fresh else None

    def run(self, steps: int, kind: Step, jumps: int = 0) -> tuple[int, bool]:
        """Continue past this many blocking instructions; returns the jumps so far, and whether it waits for another step."""
        steps += self._steps
        if self._fresh and self.position == 0:
            self._fresh = False
            self._steps += 1
        while self._steps <= steps and self.position < len(self.script) and jumps < MAX_JUMPS:
            self.at = at = self.position
            self.position += 1
            instruction = self.script[at]
            if instruction.name == "stop":
                self._steps += 1
                self.position = at
                if kind is not Step.ROUTER:
                    self.element.runtime.stop()
                return jumps + 1, False
            if instruction.name in ("pause", "wait"):
                if self._blocks(at, instruction, steps):
                    return jumps + 1, True
            elif self._ends(at, instruction):
                return jumps + 1, instruction.name in ("return", "returnq")
            if self.position != at + 1:
                jumps += 1
        if jumps >= MAX_JUMPS:
            self._give_up()
        return jumps + 1, True

    def _give_up(self) -> None:
        print(f"{self.element.name} :: {self.element.class_name()}: too many jumps, giving up", file=sys.stderr)
        self.position = len(self.script)
        self._clear()

    def step(self, steps: int, kind: Step) -> bool:
        """Step for a handler. If the script itself called the handler, add to the steps of the current run.

        Returns whether the driver may stop.
        """
        if self._more is not None:
            if kind in (Step.NORMAL, Step.ROUTER):
                self._more += steps
            return False
        try:
            self._more = -1
            jumps, blocked = self.run(steps, kind)
            while (steps := self._more) >= 0:
                self._more = -1
                jumps, _ = self.run(steps, Step.NORMAL, jumps)
        finally:
            self._more = None
        return not blocked

    def jump(self, position: int) -> None:
        self._paused_for = {at: steps for at, steps in self._paused_for.items() if at < position}
        self.position = position

    def last(self) -> str:
        """The name of the current instruction: the one that ended the script."""
        if self.position >= len(self.script):
            return ""
        instruction = self.script[self.position]
        return instruction.variable if instruction.name == "goto" and instruction.variable in ENDINGS else instruction.name

    # -- instructions -------------------------------------------------------------------------------------------------

    def _blocks(self, at: int, instruction: Instruction, steps: int) -> bool:
        """Spend steps on a `pause` or `wait`; returns whether too few are left to pass it."""
        if instruction.name == "pause":
            spent = min(steps - self._steps, instruction.count - self._paused_for.get(at, 0))
            self._paused_for[at] = self._paused_for.get(at, 0) + max(spent, 0)
            self._steps += max(spent, 0)
            if self._paused_for[at] < instruction.count:
                self.position = at
                return True
        elif self._steps >= steps:
            time = self._time(instruction)
            if time is not None:
                self._wait(time)
                self.position = at
            return True
        else:
            self._steps += 1
            self._clear()
        return False

    def _time(self, instruction: Instruction) -> int | None:
        try:
            return Time().parse(self.expand(instruction.text).strip())
        except ArgError:
            self.complaints.add("syntax error at 'wait'")
            return None

    def _ends(self, at: int, instruction: Instruction) -> bool:
        """Execute an instruction; returns whether it ends the run, with the script at this position."""
        name = instruction.name
        if name in ("return", "returnq"):
            self._set(instruction)
        elif name in ("error", "errorq"):
            text = self.expand(instruction.text)
            self.complaints.add(unquote(text) if name == "errorq" else text)
        elif name == "goto":
            if not self._goto(instruction):
                return False
        elif name not in ("end", "exit"):
            with self.complaints.during():
                EXECUTE[name](self, instruction)
            return False
        self.position = at
        return True

    def _goto(self, instruction: Instruction) -> bool:
        """Jump if the condition holds; returns whether this ends the script."""
        condition = self.expand(instruction.text)
        try:
            if condition and not Bool().parse(condition.strip()):
                return False
        except ArgError:
            self.complaints.add(f"bad condition '{condition}'")
            return False
        target = find_label(self.script, instruction.variable) if instruction.variable else 0
        if target is not None:
            self.jump(target)
            return False
        if instruction.variable == "stop":
            self.element.runtime.stop()
        return True

    def _set(self, instruction: Instruction) -> None:
        text = self.expand(instruction.text)
        self.variables[instruction.variable] = unquote(text) if instruction.name.endswith("q") else text

    def _nothing(self, instruction: Instruction) -> None:
        pass

    def _print(self, instruction: Instruction) -> None:
        """Print a handler's value if the text begins like a handler's name, else the text."""
        file, text = _redirection(instruction.text)
        before = len(self.complaints)
        with _output(file) as output:
            if text[:1].isalpha() or text[:1] in ("@", "_"):
                result = ""
                with self.complaints.during():
                    result = self._call(self.expand(text), instruction.name.endswith("q"))
            else:
                result = unquote(self.expand(text, quote_all=True))
            ends_line = "n" not in instruction.name.removeprefix("print") and len(self.complaints) == before
            text = result + "\n" if ends_line and not result.endswith("\n") else result
            output.write(text.encode("utf-8", "surrogateescape"))

    def _read(self, instruction: Instruction) -> None:
        call = self.expand(instruction.text)
        result = self._call(call, instruction.name.endswith("q"))
        name = full_name(*self.resolve(shift_word(call)[0]))
        print(f"{name}:\n{result}", file=sys.stderr)

    def _write(self, instruction: Instruction) -> None:
        name, text = shift_word(self.expand(instruction.text))
        element, handler = self.resolve(name)
        self._handlers.writable(element, handler)
        text = unquote(text) if instruction.name == "writeq" else text
        with self.complaints.during(_calling(element, handler, text)):
            try:
                self._status = self._handlers.write(element, handler, text)
            except HandlerError as error:
                self._status = error.result
                raise

    def _save(self, instruction: Instruction) -> None:
        handler, file = shift_word(instruction.text)
        arrow = ">" if instruction.name == "save" else ">>"
        self._print(Instruction("print", f"{arrow}{file or '-'} {handler}"))

    # -- texts --------------------------------------------------------------------------------------------------------

    def expand(self, text: str, quote_all: bool = False) -> str:
        return expand(text, self._variable, self._substitute, quote_all)

    def _variable(self, name: str) -> str | None:
        if name in self.variables:
            return self.variables[name]
        words = split_words(self.arguments)
        if name.isdecimal() and name[0] != "0":
            return words[int(name) - 1] if (digits.number(name) or len(words) + 1) <= len(words) else ""
        special = {
            "?": str(self._status),
            "args": self.arguments,
            "$": str(os.getpid()),
            "0": self.handler,
            "#": str(len(words)),
            "write": Bool().unparse(self.writing),
        }
        return special.get(name)

    def _substitute(self, call: str) -> str | None:
        """The value of a `$(handler)`; None if there is no such handler, empty if it fails."""
        name, argument = shift_word(call)
        with self.complaints.during():
            element, handler = self._readable(name, argument)
            return self._ask(element, handler, argument)
        return None

    def _call(self, call: str, unquoting: bool) -> str:
        """The value of a read handler; if it fails, an empty value and a complaint. Raises HandlerError or ArgError if there is
        none."""
        name, argument = shift_word(call)
        argument = unquote(argument) if unquoting else argument
        element, handler = self._readable(name, argument)
        return self._ask(element, handler, argument, _calling(element, handler, argument))

    def _ask(self, element: str, handler: str, argument: str, context: str = "") -> str:
        """The value of a read handler, empty if it fails. Its complaints are added below the context."""
        value = ""
        with self.complaints.during(context):
            try:
                return self._handlers.read(element, handler, argument)
            except HandlerError as error:
                value = error.value or ""
                raise
        return value

    def _readable(self, name: str, argument: str) -> tuple[str, str]:
        """Find a handler that can be read, with the argument if there is one. Raises HandlerError."""
        element, handler = self.resolve(name)
        self._handlers.readable(element, handler, argument)
        return element, handler

    def resolve(self, name: str) -> tuple[str, str]:
        """Resolve a handler's name as written in the script: a handler of an element, of this script, or of the router."""
        own = self.element.name
        if "." in name:
            return self._handlers.split(name, own)
        return (own if self._handlers.has(own, name) else ""), name

    @property
    def _handlers(self) -> Handlers:
        return self.element.runtime.handlers


EXECUTE: dict[str, Callable[[Interpreter, Instruction], None]] = {
    **dict.fromkeys(("label", "init", "initq", "export", "exportq"), Interpreter._nothing),
    **dict.fromkeys(("set", "setq"), Interpreter._set),
    **dict.fromkeys(("print", "printn", "printq", "printnq"), Interpreter._print),
    **dict.fromkeys(("read", "readq"), Interpreter._read),
    **dict.fromkeys(("write", "writeq"), Interpreter._write),
    **dict.fromkeys(("save", "append"), Interpreter._save),
}


def _calling(element: str, handler: str, text: str) -> str:
    return f"While calling '{full_name(element, handler)}{' ' if text else ''}{text}':"


def _redirection(text: str) -> tuple[str, str]:
    """`>FILE text` or `>>FILE text`: the file with its arrows ("" for standard output), and the text."""
    if not text.startswith(">"):
        return "", text
    arrows = ">>" if text.startswith(">>") else ">"
    file, rest = shift_word(text[len(arrows) :].lstrip())
    return ("" if file in ("", "-") else arrows + file), rest


@contextmanager
def _output(file: str) -> Iterator[BinaryIO]:
    """Standard output for "", else the file after its arrows. Raises ArgError."""
    name = file.lstrip(">")
    if not name:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    try:
        with open(name, "ab" if file.startswith(">>") else "wb") as stream:
            yield stream
    except OSError as error:
        raise ArgError(f"{name}: {error.strerror}") from None
