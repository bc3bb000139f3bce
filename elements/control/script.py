"""Script: instructions that set variables, call handlers, wait, and stop the router."""

from __future__ import annotations

import os
import signal
import sys

from clickbpf.args import Bool, Keyword, Raw, Rest, Time
from clickbpf.args.error import ArgError
from clickbpf.args.types.number import scan_integer
from clickbpf.element import USER, Element, Handler, read_handler, write_handler
from clickbpf.errors import Diagnostic, render
from clickbpf.lang.config import shift_word, split_words, unquote
from clickbpf.runtime.handlers import Failure, HandlerError

from ._arithmetic import FUNCTIONS, LOCAL_FUNCTIONS
from ._expand import expand
from ._instructions import Instruction, check_labels, find_label, parse

#: Jumps without blocking after which a script is believed to loop for ever.
MAX_JUMPS = 1000
START, WAIT, CLEAR = range(3)
TYPES = ("ACTIVE", "PASSIVE", "PROXY", "DRIVER", "SIGNAL")


class Script(Element):
    """scripts a router: calls handlers, waits, decides

    Synopsis: `Script(INSTRUCTION, ... [, TYPE])`

    Runs its instructions one after the other, from the moment the router is initialised. Packets stand still
    meanwhile, but for the instructions that wait.

    Instructions:

      - set VAR TEXT, setq, init, initq, export, exportq: Sets a variable: each time, once at the beginning, or once
        and readable as a handler.
      - print [>FILE | >>FILE] [TEXT | HANDLER], printn, printq, printnq: Prints a text, or – if it begins with a
        letter, `@` or `_` – what the handler says. The forms with n don't end the line.
      - read HANDLER, write HANDLER [TEXT], readq, writeq: Calls a handler; read prints name and result to standard
        error. `$?` is 0 if the last write succeeded.
      - wait TIME, wait, pause [COUNT], wait_stop [COUNT]: Waits for a time, or for COUNT writes of the handler `step`
        (1).
      - label NAME, goto NAME [CONDITION], loop: Jumps; `goto` also knows the labels begin, end, exit, stop and error.
      - return [VALUE], end, exit, error [TEXT], stop: Ends the script; stop also asks for the end of the run.

    The forms with a q at the end remove one level of quotes. In texts, `$var` and `${var}` stand for variables and
    `$(handler arguments)` for what a read handler says; `$1`, `$args`, `$#`, `$0`, `$write` for the arguments of the
    handler that runs it.

    Arguments:

      - TYPE: ACTIVE runs at once (the default); PASSIVE when its handler `run` is called; PROXY when any handler of
        any other name is; DRIVER decides when the driver stops: each stop event is a step; SIGNAL SIGNO... when the
        process gets a signal.

    Handlers: `step`, `goto`, `run`; `get`, `set`, `shift` for variables; and the functions add, sub, mul, div, idiv,
    mod, rem, neg, abs, min, max, eq, ne, lt, gt, le, ge, not, and, or, nand, nor, if, in, first, sprintf, random,
    length, unquote, now, readable, writable, htons, htonl, ntohs, ntohl, cat, catq.

    Example:

        i :: InfiniteSource(ACTIVE false) -> c :: Counter -> Discard;
        Script(set n 0, label again, write i.limit 10, write i.active true, wait 1ms, set n $(add $n 1), goto again $(lt $n 3),
               print "$(c.count) packets", stop);
    """

    ports = "0/0"
    processing = "a/a"
    runs = USER
    entries = ("timer", "control")
    args = (Rest("INSTRUCTION", Raw()), Keyword("TYPE", Raw()))
    default_type = "ACTIVE"

    def configure(self) -> None:
        kind, _, rest = (self.cfg.type or self.default_type).partition(" ")
        if kind not in TYPES or bool(rest) != (kind == "SIGNAL"):
            raise ArgError(f"bad TYPE '{self.cfg.type}'", f"one of {', '.join(TYPES)}", argument="TYPE")
        self.cfg.kind = kind
        self._signals = [_signal(word) for word in rest.split()]
        self._script = self._parse()
        self._variables: dict[str, str] = {}
        self._position, self._paused_for, self._timing = 0, {}, False
        self._errors: list[ArgError] = []
        self._status, self._arguments, self._handler_name, self._writing = 0, "", "", False

    def _parse(self) -> list[Instruction]:
        found, errors = [], []
        for index, text in enumerate(self.cfg.instruction):
            try:
                found.append(parse(text))
            except ArgError as error:
                errors.append(ArgError(error.message, error.hint, argument="INSTRUCTION", index=index))
        if errors:
            raise ExceptionGroup("instructions", errors)
        script = [instruction for instruction in found if instruction]
        check_labels(script)
        if self.cfg.kind == "DRIVER":
            return [*(script or [Instruction("pause", count=1)]), Instruction("stop")]
        return [*script, Instruction("end")]

    @property
    def manages_driver(self) -> bool:
        return self.cfg.kind == "DRIVER"

    # -- when it runs -------------------------------------------------------------------------------------------------

    def started(self) -> None:
        for instruction in self._script:
            if instruction.name in ("init", "initq", "export", "exportq"):
                self._assign(instruction)
        for number in self._signals:
            self.runtime.host.signals.wait_for(number, self._restart)
        if self.cfg.kind in ("ACTIVE", "DRIVER"):
            self.runtime.control(START)

    def called(self, value: int) -> None:
        """The timer: the script begins, or has waited long enough."""
        self._run_reporting(1 if self._timing else 0)

    def driver_stops(self) -> bool:
        """A stop event, for a script of type DRIVER: whether the driver is to stop indeed."""
        return self._run_reporting(1, router=True) != "blocked"

    def _restart(self) -> bool:
        self._position = 0
        self._run_reporting(0)
        return True

    def _run_reporting(self, steps: int, router: bool = False) -> str:
        """Run; errors go to standard error, for nobody else is there to hear them."""
        ending = self._run(steps, router)
        place = self.runtime.host.checked.router.element(self.name).place
        found = [Diagnostic(place, f"while executing '{self.name}': {e.message}", e.hint) for e in self._take_errors()]
        print(render(found), end="", file=sys.stderr)
        return ending

    def _run_raising(self, steps: int) -> None:
        """Run for a handler; its caller hears the errors."""
        self._run(steps)
        errors = self._take_errors()
        if errors:
            raise ArgError("\n".join(error.message for error in errors), errors[0].hint)

    def _take_errors(self) -> list[ArgError]:
        errors, self._errors = self._errors, []
        return errors

    # -- the interpreter ----------------------------------------------------------------------------------------------

    def _run(self, steps: int, router: bool = False) -> str:
        """Execute until an instruction blocks or ends the script, with so many steps for those that wait.

        Returns why it went no further: "blocked", "end", "exit", "stop", "return" or "error". An instruction that fails
        leaves its error in `self._errors`, and the script goes on.
        """
        jumps = 0
        while jumps < MAX_JUMPS:
            position = self._position
            instruction = self._script[position]
            if instruction.name == "pause":
                steps = self._pause(position, instruction.count, steps)
                if self._paused_for.get(position, 0) < instruction.count:
                    return "blocked"
            elif instruction.name == "wait":
                if not steps:
                    return self._wait(instruction)
                steps -= 1
                self._timing = False
                self.runtime.control(CLEAR)
            elif instruction.name in ("stop", "end", "exit", "error", "errorq", "return", "returnq"):
                return self._end(instruction, router)
            else:
                ending = self._execute(instruction)
                if ending:
                    return self._end(Instruction(ending), router)
            if self._position == position:
                self._position += 1
            else:
                jumps += 1
        self._position = len(self._script) - 1
        self._errors.append(ArgError("too many jumps, giving up", "let the script wait somewhere in its loop"))
        return "error"

    def _execute(self, instruction: Instruction) -> str | None:
        """One that neither waits nor ends the script, unless it is a jump to such a label: that label then."""
        try:
            return _EXECUTE[instruction.name](self, instruction)
        except ArgError as error:
            self._errors.append(error)
            return None

    def _wait(self, instruction: Instruction) -> str:
        try:
            self.runtime.control(WAIT, Time().parse(self._expand(instruction.text).strip()))
        except ArgError as error:
            self._errors.append(error)
        self._timing = True
        return "blocked"

    def _pause(self, position: int, count: int, steps: int) -> int:
        """Spend steps on a pause; those that are left."""
        spent = min(steps, count - self._paused_for.get(position, 0))
        self._paused_for[position] = self._paused_for.get(position, 0) + spent
        return steps - spent

    def _goto(self, instruction: Instruction) -> str | None:
        """Jump if the condition holds; the name of the instruction that ends the script if that is the label."""
        condition = self._expand(instruction.text).strip()
        if condition and not Bool().parse(condition):
            return None
        target = find_label(self._script, instruction.variable)
        if target is None:
            return instruction.variable
        self._jump(target)
        return None

    def _jump(self, target: int) -> None:
        self._position = target
        self._paused_for = {at: steps for at, steps in self._paused_for.items() if at < target}

    def _end(self, instruction: Instruction, router: bool) -> str:
        name = instruction.name
        if name == "stop" and not router:
            self.runtime.stop()
        if name in ("error", "errorq"):
            text = self._expand(instruction.text)
            self._errors.append(ArgError(unquote(text) if name == "errorq" else text or "error"))
        if name in ("return", "returnq"):
            self._assign(instruction)
        return name.removesuffix("q")

    def _assign(self, instruction: Instruction) -> None:
        text = self._expand(instruction.text)
        self._variables[instruction.variable] = unquote(text) if instruction.name.endswith("q") else text

    def _nothing(self, instruction: Instruction) -> None:
        pass

    def _print(self, instruction: Instruction) -> None:
        file, text = _redirection(instruction.text)
        errors = len(self._errors)
        if text[:1].isalpha() or text[:1] in ("@", "_"):
            result = self._call_read(self._expand(text), instruction.name.endswith("q")) or ""
        else:
            result = unquote(self._expand(text, quote_all=True))
        ends_line = "n" not in instruction.name.removeprefix("print") and len(self._errors) == errors
        if ends_line and not result.endswith("\n"):
            result += "\n"
        _write_text(file, result)

    def _read(self, instruction: Instruction) -> None:
        call = self._expand(instruction.text)
        result = self._call_read(call, instruction.name.endswith("q"))
        if result is not None:
            print(f"{shift_word(call)[0]}:\n{result}", file=sys.stderr)

    def _write(self, instruction: Instruction) -> None:
        name, text = shift_word(self._expand(instruction.text))
        try:
            self.runtime.host.handlers.write(*self._resolve(name), unquote(text) if instruction.name == "writeq" else text)
            self._status = 0
        except HandlerError as error:
            if error.failure is Failure.FAILED:
                self._status = -1
            raise ArgError(error.message, error.diagnostics[0].hint) from None

    def _save(self, instruction: Instruction) -> None:
        handler, file = shift_word(instruction.text)
        arrow = ">" if instruction.name == "save" else ">>"
        self._print(Instruction("print", f"{arrow}{file or '-'} {handler}"))

    # -- texts --------------------------------------------------------------------------------------------------------

    def _expand(self, text: str, quote_all: bool = False) -> str:
        return expand(text, self._variable, self._call_read, quote_all)

    def _variable(self, name: str) -> str | None:
        if name in self._variables:
            return self._variables[name]
        words = split_words(self._arguments)
        if name.isdecimal() and name != "0":
            return words[int(name) - 1] if int(name) <= len(words) else ""
        special = {
            "?": str(self._status),
            "args": self._arguments,
            "$": str(os.getpid()),
            "0": self._handler_name,
            "#": str(len(words)),
            "write": Bool().unparse(self._writing),
        }
        return special.get(name)

    def _call_read(self, call: str, unquoting: bool = False) -> str | None:
        """What a read handler says; None, and an error left behind, if it fails."""
        name, argument = shift_word(call)
        try:
            return self.runtime.host.handlers.read(*self._resolve(name), unquote(argument) if unquoting else argument)
        except HandlerError as error:
            self._errors.append(ArgError(error.message, error.diagnostics[0].hint))
            return None

    def _resolve(self, name: str) -> tuple[str, str]:
        """A handler's name as written here: of an element, of this script, or of the router."""
        handlers = self.runtime.host.handlers
        if "." in name:
            return handlers.split(name, self.name)
        own = name in handlers.of(self.name) or self.find_handler(name) is not None
        return (self.name if own else ""), name

    # -- handlers -----------------------------------------------------------------------------------------------------

    def find_handler(self, name: str) -> Handler | None:
        """Handlers that the class doesn't know: functions, exported variables, and any of a PROXY."""
        if name in FUNCTIONS or name in LOCAL_FUNCTIONS:
            function = FUNCTIONS.get(name) or LOCAL_FUNCTIONS[name]
            handler = Handler(name, lambda _, text: function(text))
            handler.private = name in LOCAL_FUNCTIONS
            return handler
        if any(i.name in ("export", "exportq") and i.variable == name for i in self._script):
            return Handler(name, lambda _: self._variables[name])
        if self.cfg.kind == "PROXY":
            return Handler(name, lambda _, text: self._invoke(name, text), lambda _, text: self._invoke(name, text, True))
        return None

    def _invoke(self, name: str, arguments: str, writing: bool = False) -> str:
        """Run the script from its beginning for a handler; what it returns."""
        self._handler_name, self._arguments, self._writing = name, arguments, writing
        self._variables.pop("_", None)
        self._jump(0)
        try:
            self._run_raising(0)
        finally:
            self._handler_name = ""
        return self._variables.get("_", "")

    @read_handler("run")
    def read_run(self, text: str) -> str:
        return self._invoke("run", text)

    @write_handler("run")
    def write_run(self, text: str) -> None:
        self._invoke("run", text, True)

    @write_handler
    def step(self, text: str) -> None:
        scanned = scan_integer(text.strip() or "1")
        if not scanned or scanned[1] != len(text.strip() or "1"):
            raise ArgError("syntax error")
        self._run_raising(scanned[0])

    @write_handler
    def goto(self, text: str) -> None:
        target = find_label(self._script, text.strip())
        if target is None:
            raise ArgError("jump to nonexistent label")
        self._jump(target)
        self._run_raising(0)

    @read_handler
    def get(self, text: str) -> str:
        found = self._variable(text.strip())
        if found is None:
            raise ArgError(f"undefined variable '{text.strip()}'")
        return found

    @write_handler
    def set(self, text: str) -> None:
        name, value = shift_word(text)
        if not name:
            raise ArgError("no variable")
        self._variables[name] = value

    @read_handler
    def shift(self, text: str) -> str:
        name = text.strip() or "args"
        word, rest = shift_word(self.get(name))
        if name == "args":
            self._arguments = rest
        else:
            self._variables[name] = rest
        return word

    @read_handler
    def now(self) -> str:
        return f"{self.runtime.host.wall_clock() / 1e9:.9f}"

    @read_handler
    def readable(self, text: str) -> str:
        return Bool().unparse(all(self._has(name, "read") for name in split_words(text)))

    @read_handler
    def writable(self, text: str) -> str:
        return Bool().unparse(all(self._has(name, "write") for name in split_words(text)))

    def _has(self, name: str, kind: str) -> bool:
        try:
            return getattr(self.runtime.host.handlers.find(*self._resolve(name)), kind) is not None
        except HandlerError:
            return False


_EXECUTE = {
    **dict.fromkeys(("label", "init", "initq", "export", "exportq"), Script._nothing),
    **dict.fromkeys(("set", "setq"), Script._assign),
    **dict.fromkeys(("print", "printn", "printq", "printnq"), Script._print),
    **dict.fromkeys(("read", "readq"), Script._read),
    **dict.fromkeys(("write", "writeq"), Script._write),
    **dict.fromkeys(("save", "append"), Script._save),
    "goto": Script._goto,
}


def _signal(word: str) -> int:
    number = getattr(signal, f"SIG{word}", None) or (int(word) if word.isdecimal() else None)
    if number is None or not 0 < number < 32:
        raise ArgError(f"bad signal '{word}'", argument="TYPE")
    return int(number)


def _redirection(text: str) -> tuple[str, str]:
    """`>FILE text` or `>>FILE text`: the file with its arrows ("" for standard output), and the text."""
    if not text.startswith(">"):
        return "", text
    arrows = ">>" if text.startswith(">>") else ">"
    file, rest = shift_word(text[len(arrows) :].lstrip())
    return ("" if file == "-" else arrows + unquote(file)), rest


def _write_text(file: str, text: str) -> None:
    data = text.encode("utf-8", "surrogateescape")
    if not file:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    name = file.lstrip(">")
    try:
        with open(name, "ab" if file.startswith(">>") else "wb") as output:
            output.write(data)
    except OSError as error:
        raise ArgError(f"{name}: {error.strerror}") from None
