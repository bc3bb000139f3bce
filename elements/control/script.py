import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from enum import IntEnum

from clickbpf.args.given import given_in
from clickbpf.declare import (
    MANAGES_DRIVER, USER, ArgError, Bool, Driver, Handler, Keyword, OwnHandlers, Raw, Rest, Right, read_each, read_handler, shift_word,
    split_words, write_handler,
)
from clickbpf.runtime.handlers import Complained, HandlerError

from ._arithmetic import FUNCTIONS, LOCAL_FUNCTIONS, UNLISTED_FUNCTIONS, integer, signal_number
from ._instructions import Instruction, check_labels, find_label, parse
from ._interpreter import Interpreter, Step

TYPES = ("ACTIVE", "PASSIVE", "PACKET", "PUSH", "PROXY", "DRIVER", "SIGNAL")


class Called(IntEnum):
    """The values that script.c passes to called(): PACKET + N is a packet at input N."""

    TIMER, PACKET = range(2)


class Script(Driver, OwnHandlers, ports="-/-", processing="ah/ah", runs=USER):
    """scripts a router: calls handlers, waits, decides

    Synopsis: `Script(INSTRUCTION, ... [, TYPE])`

    Runs its instructions one after the other, once the router is initialised. The script's thread does nothing else meanwhile,
    except during waiting instructions.

    Instructions:

      - set VAR TEXT, setq, init, initq, export, exportq: Sets a variable: set each time; init only once, at the beginning; export
        like init, and the variable can be read as a handler.
      - print [>FILE | >>FILE] [TEXT | HANDLER], printn, printq, printnq: Prints a text or, if it begins with a letter, `@` or `_`,
        the value of the handler of that name. The forms with n don't end the line.
      - read HANDLER, write HANDLER [TEXT], readq, writeq: Calls a handler; read prints name and result to standard
        error. `$?` is 0 if the last write succeeded, 1 if it ran a script that ended in `stop`.
      - wait TIME, wait, pause [COUNT], wait_stop [COUNT]: Waits for a time, or until the handler `step` has been written COUNT
        times (default 1).
      - label NAME, goto NAME [CONDITION], loop: Jumps; `goto` also knows the labels begin, end, exit, stop and error.
      - return [VALUE], end, exit, error [TEXT], stop: Ends the script; stop also asks for the end of the run.

    The forms ending in q remove one level of quotes. In texts, `$var` and `${var}` are variables, `$(handler arguments)` is the
    value of a read handler, and `$1`, `$args`, `$#`, `$0`, `$write` are the arguments of the handler that runs the script.

    After an error, such as a handler that fails or doesn't exist, or a bad condition, the script continues. Errors are printed, or
    reported to the caller of the handler that runs the script. That handler itself fails only if the script ends in `error`.

    Ports: none, or any number for packets: `$input` is a packet's input port, and `return PORT` selects its output. `end` means
    output 0; otherwise the packet is dropped.

    Handlers: `step`, `goto`, `run`; `get`, `set`, `shift` for variables; and the functions add, sub, mul, div, idiv,
    mod, rem, neg, abs, min, max, eq, ne, lt, gt, le, ge, not, and, or, nand, nor, if, in, first, sprintf, random,
    length, unquote, now, readable, writable, htons, htonl, ntohs, ntohl, cat, catq, kill; and those of FastClick: avg (an integer
    for integers), count, popcount (the count of numbers other than 0), gt_vec (the count of numbers greater than the first), ceil,
    floor, round.

    Example:

        i :: InfiniteSource(ACTIVE false) -> c :: Counter -> Discard;
        Script(set n 0, label again, write i.limit 10, write i.active true, wait 1ms, set n $(add $n 1), goto again $(lt $n 3),
               print "$(c.count) packets", stop);
    """

    enums = (Called,)
    operations = ("WAIT", "CLEAR")
    args = (
        Rest("INSTRUCTION", Raw()),
        Keyword("TYPE", Raw(), text="ACTIVE runs at once (the default without ports); PASSIVE when its handler `run` is called; PACKET, "
            "or PUSH, when a packet arrives (the default with ports); PROXY when a handler of any other name is called; DRIVER decides "
            "when the driver stops: each stop event is a step; SIGNAL SIGNO... when the process receives a signal, and again each time if "
            "the script has reached its `end`"),
    )
    default_type = ""

    def configure(self) -> None:
        by_ports = "PACKET" if self.ninputs or self.noutputs else "ACTIVE"
        kind, _, rest = (self.cfg.type or self.default_type or by_ports).partition(" ")
        if kind not in TYPES or (rest and kind != "SIGNAL"):
            raise ArgError("bad TYPE", f"'{self.cfg.type}' is none of {', '.join(TYPES)}", argument="TYPE")
        self.cfg.kind = "PACKET" if kind == "PUSH" else kind
        self._signals = [signal_number(word) for word in rest.split()]
        if kind == "SIGNAL" and (None in self._signals or not self._signals):
            raise ArgError("bad signal number", argument="TYPE")
        if self.cfg.kind == "PACKET" and not self.ninputs:
            raise ArgError("PACKET script must have inputs", argument="TYPE")
        if self.cfg.kind != "PACKET" and (self.ninputs or self.noutputs):
            raise ArgError("ports allowed only on PACKET scripts", argument="TYPE")
        if self.cfg.kind == "DRIVER":
            self.traits = MANAGES_DRIVER
        self._instructions = self._parse()

    def begin(self) -> None:
        self._script = Interpreter(self, self._instructions, self._wait, self._clear, self._where)

    def _parse(self) -> list[Instruction]:
        found = read_each("INSTRUCTION", self.cfg.instruction, lambda text, _: parse(text))
        script = [instruction for instruction in found if instruction]
        self._numbers = [number for number, instruction in enumerate(found) if instruction]
        check_labels(script)
        if self.cfg.kind == "DRIVER":
            return [*(script or [Instruction("pause", count=1)]), Instruction("stop")]
        return [*script, Instruction("end")]

    def _where(self) -> str:
        """The place of the instruction that is executed, before a complaint; empty if the configuration has no place."""
        declaration = self.context.router.element(self.name)
        instructions = [given for given in given_in(declaration.config) if given.name != "TYPE"]
        place = declaration.place_of(instructions[self._numbers[self._script.at]].offset)
        return f"{place.file}:{place.line}:{place.column}: " if place else ""

    # -- when it runs -------------------------------------------------------------------------------------------------

    def started(self) -> None:
        for number in self._signals:
            self.runtime.wait_for_signal(number, self._signalled)
        place = self.context.router.element(self.name).place
        with self._reported(f"{place.file}:{place.line}: While initializing" if place else "While initializing"):
            self._script.initialise()
            begins = self._script.begin() if self.cfg.kind in ("ACTIVE", "DRIVER") else None
        if begins == 0 and MANAGES_DRIVER in self.traits:
            self.runtime.stop()
        elif begins is not None:
            self._wait(begins)

    def _wait(self, nanoseconds: int) -> None:
        self.runtime.control("WAIT", nanoseconds)

    def _clear(self) -> None:
        self.runtime.control("CLEAR")

    def called(self, value: int) -> int:
        """Step for the timer or a packet; returns the packet's output, or -1."""
        with self._reported():
            if value == Called.TIMER:
                self._script.run(1, Step.TIMER)
            else:
                self._script.variables["input"] = str(value - Called.PACKET)
                self._script.position = 0
                self._script.run(0, Step.JUMP)
            port = integer(self._complete())
        return -1 if port is None else port

    def driver_stops(self) -> bool:
        """A stop event for a script of type DRIVER; returns whether the driver stops."""
        with self._script.complaints.shown(""):  # as in Click, errors of the driver's events don't name the element
            stops = self._script.step(1, Step.ROUTER)
            self._complete()
        return stops

    def _signalled(self) -> bool:
        try:
            self._invoke("run", "", True)
        except ArgError as error:
            print(error.message, file=sys.stderr)
            return error.result >= 0
        return True

    def _complete(self) -> str:
        """The script's value after it has ended or blocked; a SIGNAL script at its end waits for the next signal."""
        last = self._script.last()
        if last == "end" and self.cfg.kind == "SIGNAL":
            for number in self._signals:
                self.runtime.wait_for_signal(number, self._signalled)
        if last in ("return", "returnq"):
            return self._script.variables.get("_", "")
        return "0" if last == "end" and self.cfg.kind == "PACKET" else ""

    def _reported(self, when: str = "While executing") -> AbstractContextManager[None]:
        """Print complaints, as there is no caller to report them to."""
        return self._script.complaints.shown(f"{when} '{self.name} :: {self.class_name()}':")

    def _finish(self) -> tuple[str, int]:
        """The value and the result of a handler that has run the script. Its caller gets the complaints; the handler fails only if
        the script ends in an error."""
        value, last = self._complete(), self._script.last()
        text = "\n".join(self._script.complaints.take())
        if last in ("error", "errorq"):
            raise ArgError(text, result=-1)
        result = 1 if last == "stop" else 0
        if text:
            raise Complained(text, value, result)
        return value, result

    # -- handlers -----------------------------------------------------------------------------------------------------

    @classmethod
    def handlers(cls) -> dict[str, Handler]:
        return {**super().handlers(), **{name: _function(name, function) for name, function in FUNCTIONS.items()}}

    def own_handlers(self) -> dict[str, Handler]:
        exported = (each.variable for each in self._instructions if each.name in ("export", "exportq"))
        return {name: _exported(name) for name in exported}

    def find_handler(self, name: str) -> Handler | None:
        """Unlisted handlers: functions with names of other classes' handlers, functions for this machine's own scripts, and those
        of a PROXY."""
        if name in UNLISTED_FUNCTIONS:
            return _function(name, UNLISTED_FUNCTIONS[name])
        if name in LOCAL_FUNCTIONS:
            handler = _function(name, LOCAL_FUNCTIONS[name])
            handler.private, handler.pure = True, False
            return handler
        return self._proxied(name) if self.cfg.kind == "PROXY" else None

    def _proxied(self, name: str) -> Handler:
        handler = Handler(name, lambda _, text: self._invoke(name, text)[0], lambda _, text: self._invoke(name, text, True)[1])
        handler.read_needs = Right.ACT
        return handler

    def _invoke(self, name: str, arguments: str, writing: bool = False) -> tuple[str, int]:
        """Run the script from its beginning for a handler; `_finish()`."""
        self._script.arguments = arguments
        self._script.jump(0)
        return self._go_on(name, 0, Step.JUMP, writing)

    def _go_on(self, name: str, steps: int, kind: Step, writing: bool = True) -> tuple[str, int]:
        """Step for the handler of this name; `_finish()`."""
        script = self._script
        script.handler, script.writing = name, writing
        try:
            script.step(steps, kind)
            return self._finish()
        finally:
            script.handler, script.writing = "", False
            if script.last() in ("stop", "error", "errorq"):
                script.arguments = ""

    @read_handler("run", needs=Right.ACT)
    def read_run(self, text: str) -> str:
        return self._invoke("run", text)[0]

    @write_handler("run")
    def write_run(self, text: str) -> int:
        return self._invoke("run", text, True)[1]

    @write_handler
    def step(self, text: str) -> int:
        steps = integer(text.strip() or "1")
        if steps is None:
            raise ArgError("syntax error")
        return self._go_on("step", steps, Step.NORMAL)[1]

    @write_handler
    def goto(self, text: str) -> int:
        target = find_label(self._script.script, text.strip())
        if target is None:
            raise ArgError("jump to nonexistent label")
        self._script.jump(target)
        return self._go_on("goto", 0, Step.JUMP)[1]

    def _variable(self, text: str, default: str = "") -> str:
        """The name of an existing variable."""
        name, *more = split_words(text) or [default]
        if not name:
            raise ArgError("no variable")
        if more:
            raise ArgError("too many arguments")
        if name != "args" and name not in self._script.variables:
            raise ArgError(f"undefined variable '{name}'")
        return name

    def _value(self, name: str) -> str:
        return self._script.arguments if name == "args" else self._script.variables[name]

    def _assign(self, name: str, value: str) -> None:
        if name == "args":
            self._script.arguments = value
        else:
            self._script.variables[name] = value

    get = read_handler(lambda self, text: self._value(self._variable(text)))

    @write_handler
    def set(self, text: str) -> None:
        name, value = shift_word(text)
        if not name:
            raise ArgError("no variable")
        self._assign(name, value)

    @read_handler(needs=Right.ACT)
    def shift(self, text: str) -> str:
        name = self._variable(text, "args")
        word, rest = shift_word(self._value(name))
        self._assign(name, rest)
        return word

    @read_handler
    def now(self) -> str:
        seconds, nanoseconds = divmod(self.runtime.wall_clock(), 10**9)
        return f"{seconds}.{nanoseconds:09}"

    readable = read_handler(lambda self, text: self._all_have(text, "read"))
    writable = read_handler(lambda self, text: self._all_have(text, "write"))

    def _all_have(self, text: str, operation: str) -> str:
        return Bool().unparse(all(self._has(name, operation) for name in dict.fromkeys(split_words(text))))

    def _has(self, name: str, operation: str) -> bool:
        try:
            return self.runtime.handlers.has(*self._script.resolve(name), operation)
        except HandlerError:
            return False


def _function(name: str, function: Callable[[str], str]) -> Handler:
    """A function as a read handler; the handler's argument is the function's."""
    handler = Handler(name, lambda _, text: function(text))
    handler.pure = True
    return handler


def _exported(variable: str) -> Handler:
    return Handler(variable, lambda self: self._script.variables[variable])
