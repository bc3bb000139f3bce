"""The server side of Click's ControlSocket protocol (protocol.py)."""

import os
import socket
import struct
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field

from clickbpf.args.error import ArgError
from clickbpf.errors import ClickError, render_as_click
from clickbpf.runtime.failures import Failure, HandlerError
from clickbpf.runtime.handlers import BoundHandler, Handlers
from clickbpf.runtime.protocol import (
    BANNER,
    ENOUGH,
    HANDLER,
    LLRPC,
    NO_ELEMENT,
    NO_HANDLER,
    OK,
    PERMISSION,
    READ_EACH,
    RENOUNCE,
    SYNTAX,
    UNIMPLEMENTED,
    UNSPECIFIED,
    WARNED,
    plain_text,
)
from clickbpf.runtime.stream import NotEnough, Stream, TooLong
from clickbpf.vocabulary.rights import ALL, NONE, Right
from clickbpf.waiting import readable

HELP = (
    "Commands supported:",
    "READ handler [arg...]   call read handler, return DATA",
    "READDATA handler len    the same with len bytes of argument",
    "READUNTIL handler term  the same, argument until the line term",
    "READEACH len            call the read handlers of len bytes of lines",
    "WRITE handler [arg...]  call write handler",
    "WRITEDATA handler len   the same with len bytes",
    "WRITEUNTIL handler term the same until the line term",
    "CHECKREAD handler       check if read handler is valid",
    "CHECKWRITE handler      check if write handler is valid",
    "LLRPC elt#number [len]  call LLRPC with len bytes, return DATA",
    "QUIT                    close connection",
)

#: Bits of an LLRPC's number: data goes in, data comes out, data has no pointers; and the mask of the number itself.
LLRPC_IN, LLRPC_OUT, LLRPC_FLAT, LLRPC_NUMBER = 0x80000000, 0x40000000, 0x4000, 0x3FFF

#: The most bytes of a read handler's argument: packets and other clients may have to wait while the handler processes it.
LONGEST_ARGUMENT = 65536
#: The most words of a command to parse, and the most digits of a length.
MOST_WORDS, MOST_DIGITS = 4, 18
#: Seconds in which a refused client must stop sending.
PATIENCE = 1.0
#: Seconds after which a READEACH reads no more handlers, so that many slow ones don't make its client wait much longer than one.
SOON = 1.0
#: Seconds between two checks for more data of a stream.
GLANCE = 0.02


class Refused(Exception):
    """A command answered with an error: code and message lines."""

    def __init__(self, code: int, *lines: str):
        super().__init__(*lines)
        self.code, self.lines = code, lines


@dataclass
class Serving:
    """The router's `handlers` and the clients' rights. If `proxy` names an element, clients only call handlers of this element, which may
    have names like `e.h`. A hot swap changes this object, also for connected clients. `commands` are additions to the protocol: single
    words, only for processes of the same user on this machine.
    """

    handlers: Handlers
    read_only: bool = False
    proxy: str | None = None
    #: The rights of clients. Processes of the same user or of root on this machine have all rights.
    rights: frozenset[Right] = NONE
    commands: Mapping[str, Callable[[], None]] = field(default_factory=dict)
    #: Commands that take the rest of their line as an argument and are answered by a stream, until the client sends something or is gone.
    #: The stream has portions of bytes, each preceded by its length in four bytes. A function returns the portions, and None at the end.
    streams: Mapping[str, Callable[[str], AbstractContextManager[Callable[[], bytes | None]]]] = field(default_factory=dict)


class Conversation:
    """One client: commands in, answers out."""

    def __init__(self, connection: socket.socket, serving: Serving):
        self._socket, self._stream, self._serving = connection, Stream(connection), serving
        self._renounced = False

    @property
    def heard(self) -> float:
        """The time of the client's last data, by the monotonic clock."""
        return self._stream.heard

    def end(self, how: int) -> None:
        """Shut the connection down, from another thread: wholly, or only the client's side (socket.SHUT_RD)."""
        with suppress(OSError):
            self._socket.shutdown(how)

    def close(self) -> None:
        self._socket.close()

    def run(self) -> None:
        """Serve until the client quits or goes away."""
        with suppress(EOFError, OSError):
            self._socket.sendall(f"{BANNER}\r\n".encode())
            while self._command():
                self._stream.begin()

    def _command(self) -> bool:
        """Answer one command; returns whether the conversation goes on. It ends after a command that is too long, since the start of the
        next one is unknown, and after incomplete data, none of which may be taken for a command."""
        line = b""
        try:
            line = self._stream.last_line()
            return self._obey(line, line.split(None, MOST_WORDS))
        except TooLong as error:
            self._answer(SYNTAX, f"Syntax error: {error}")
            self._let_it_finish()
        except NotEnough as error:
            if line:
                self._answer(SYNTAX, str(error))
        return False

    def _let_it_finish(self) -> None:
        """Read what the client still sends, for a limited time: closing the connection with unread data would discard the answer."""
        self.end(socket.SHUT_WR)
        self._socket.settimeout(PATIENCE)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self._socket.recv(65536):
            continue

    def _obey(self, line: bytes, words: list[bytes]) -> bool:
        if not words:
            return True
        command = words[0].upper().decode("ascii", "replace")
        try:
            if command in ("QUIT", "CLOSE"):
                if len(words) != 1:
                    self._answer(SYNTAX, "Bad command syntax")
                self._answer(OK, "Goodbye!")
                return False
            self._serving.handlers.answering.wait()
            self._execute(_SYNONYMS.get(command, command), words, line)
        except Refused as refused:
            self._answer(refused.code, *refused.lines)
        return True

    def _execute(self, command: str, words: list[bytes], line: bytes) -> None:
        if command == "HELP":
            self._answer(OK, *HELP)
        elif command in ("CHECKREAD", "CHECKWRITE"):
            _expect(len(words) == 2)
            self._check(plain_text(words[1]), command == "CHECKWRITE")
        elif command == READ_EACH:
            _expect(len(words) == 2)
            self._read_each(self._stream.data(_length(words[1], command)))
        elif command.startswith("READ") and command[4:] in _ARGUMENTS:
            argument = _ARGUMENTS[command[4:]](self._stream, words, line)
            self._read(plain_text(words[1]), argument)
        elif command.startswith("WRITE") and command[5:] in _ARGUMENTS:
            argument = _ARGUMENTS[command[5:]](self._stream, words, line)
            self._write(plain_text(words[1]), argument)
        elif command == "LLRPC":
            self._llrpc(words)
        elif command == RENOUNCE:
            _expect(len(words) == 1)
            self._renounced = True
            self._answer(OK, f"Command '{command}' OK")
        elif command in self._serving.commands:
            self._call(command, words)
        elif command in self._serving.streams:
            self._flow(command, line)
        else:
            raise Refused(UNIMPLEMENTED, f"Command '{command}' unimplemented")

    def _find(self, name: str) -> tuple[str, str, BoundHandler]:
        """A handler by the name that the client gives; private handlers are unknown to clients."""
        handlers, proxy = self._serving.handlers, self._serving.proxy
        try:
            element, handler = (proxy, name) if proxy else handlers.split(name)
            bound = handlers.find(element, handler)
        except HandlerError as error:
            if error.failure is Failure.NO_ELEMENT:
                raise Refused(NO_ELEMENT, f"No element named '{name.rpartition('.')[0]}'") from None
            raise Refused(NO_HANDLER, f"No {'proxied ' if proxy else ''}handler named '{name}'") from None
        if bound.private:
            raise Refused(NO_HANDLER, f"No handler named '{name}'")
        return element, handler, bound

    def _may(self, right: Right | None) -> bool:
        if right is None or self._renounced:
            return right is None
        if right is Right.ACT:
            return not self._serving.read_only or right in self._serving.rights
        return right in (ALL if is_owner(self._socket) else self._serving.rights)

    def _is_owner(self) -> bool:
        return not self._renounced and is_owner(self._socket)

    def _require(self, right: Right | None, name: str) -> None:
        if not self._may(right):
            raise Refused(PERMISSION, f"Permission denied for '{name}'")

    def _read(self, name: str, argument: bytes) -> None:
        value = self._value(name, argument)
        self._answer(OK, f"Read handler '{name}' OK", data=value)

    def _read_each(self, lines: bytes) -> None:
        """Answer for as many lines as fit into one portion. Between two of them others may call handlers, and the router may be
        replaced."""
        answers, size, end = [], 0, time.monotonic() + SOON
        for line in lines.splitlines():
            name, _, argument = line.partition(b" ")
            self._serving.handlers.answering.wait()
            try:
                code, text = OK, self._value(plain_text(name), argument)
            except Refused as refused:
                code, text = refused.code, "\n".join(refused.lines).encode("utf-8", "surrogateescape")
            answers.append(b"%d %d\r\n%b" % (code, len(text), text))
            size += len(answers[-1])
            if size >= ENOUGH or time.monotonic() >= end:
                break
        self._answer(OK, f"Read {len(answers)} handlers OK", data=b"".join(answers))

    def _value(self, name: str, argument: bytes) -> bytes:
        element, handler, bound = self._find(name)
        if bound.read is None:
            raise Refused(PERMISSION, f"Handler '{name}' write-only")
        self._require(bound.read_needs, name)
        if len(argument) > LONGEST_ARGUMENT:
            raise Refused(UNSPECIFIED, f"Read handler '{name}' error:", f"argument too long, at most {LONGEST_ARGUMENT} bytes")
        hidden = not self._may(Right.SECRETS)
        try:
            data = self._serving.handlers.read(element, handler, plain_text(argument), hidden)
        except HandlerError as error:
            raise _failed(UNSPECIFIED, f"Read handler '{name}' error", error) from None
        return data.encode("utf-8", "surrogateescape")

    def _write(self, name: str, argument: bytes) -> None:
        element, handler, bound = self._find(name)
        if bound.write is None:
            raise Refused(PERMISSION, f"Handler '{name}' read-only")
        if self._serving.read_only:
            raise Refused(PERMISSION, f"Permission denied for '{name}'")
        self._require(bound.write_needs, name)
        warnings: list[ArgError] = []
        try:
            self._serving.handlers.write(element, handler, plain_text(argument), warnings.extend)
        except HandlerError as error:
            raise _failed(HANDLER, f"Write handler '{name}' error", error) from None
        lines = [f"warning: {line}" for warning in warnings if warning.in_click != "" for line in warning.message.splitlines()]
        if lines:
            self._answer(WARNED, f"Write handler '{name}' OK with warnings:", *lines)
        else:
            self._answer(OK, f"Write handler '{name}' OK")

    def _check(self, name: str, for_writing: bool) -> None:
        _, _, bound = self._find(name)
        if (bound.write if for_writing else bound.read) is None:
            raise Refused(NO_HANDLER, f"Handler '{name}' not {'writable' if for_writing else 'readable'}")
        if for_writing and self._serving.read_only:
            raise Refused(PERMISSION, f"Permission denied for '{name}'")
        self._require(bound.write_needs if for_writing else bound.read_needs, name)
        self._answer(OK, f"{'Write' if for_writing else 'Read'} handler '{name}' OK")

    def _llrpc(self, words: list[bytes]) -> None:
        """Call a remote procedure by its number in <click/llrpc.h>: `element#hexadecimal`, and its input, if any."""
        _expect(len(words) in (2, 3))
        data = self._stream.data(_length(words[2], "llrpc")) if len(words) == 3 else b""
        name = plain_text(words[1])
        element, _, number = name.partition("#")
        try:
            command = int(number, 16)
        except ValueError:
            raise Refused(SYNTAX, f"Syntax error in LLRPC name '{name}'") from None
        where, _, _ = self._find(f"{element}.name")
        size = command >> 16 & 0xFFF
        if not size or not command & (LLRPC_IN | LLRPC_OUT) or not command & LLRPC_FLAT:
            raise Refused(UNIMPLEMENTED, f"Cannot call LLRPC '{name}' remotely")
        self._require(Right.ACT, name)
        if command & LLRPC_IN and len(data) != size:
            raise Refused(LLRPC, f"LLRPC '{name}' requires {size} bytes input data")
        try:
            answer = self._serving.handlers.llrpc(where, command & LLRPC_NUMBER, data)
        except OSError as error:
            raise Refused(LLRPC, f"LLRPC '{name}' error: {os.strerror(error.errno)}") from None
        self._answer(OK, f"LLRPC '{name}' OK", data=answer if command & LLRPC_OUT else b"")

    def _call(self, command: str, words: list[bytes]) -> None:
        _expect(len(words) == 1)
        if not self._is_owner():
            raise Refused(PERMISSION, f"Permission denied for '{command}'")
        try:
            self._serving.commands[command]()
        except ClickError as error:
            raise Refused(HANDLER, f"Command '{command}' error:", *_lines(error)) from None
        self._answer(OK, f"Command '{command}' OK")

    def _flow(self, command: str, line: bytes) -> None:
        """Answer by a stream, which ends the conversation."""
        if not self._is_owner():
            raise Refused(PERMISSION, f"Permission denied for '{command}'")
        argument = plain_text(line.strip().partition(b" ")[2])
        try:
            with self._serving.streams[command](argument) as read:
                self._answer(OK, f"Command '{command}' OK")
                while not readable([self._socket.fileno()], GLANCE) and (portion := read()) is not None:
                    self._socket.sendall(struct.pack("=I", len(portion)) + portion)
        except ClickError as error:
            raise Refused(HANDLER, f"Command '{command}' error:", *_lines(error)) from None
        raise EOFError

    def _answer(self, code: int, *lines: str, data: bytes | None = None) -> None:
        ends = "-" * (len(lines) - 1) + " "
        text = "".join(f"{code}{end}{line}\r\n" for end, line in zip(ends, lines))
        if data is not None:
            text += f"DATA {len(data)}\r\n"
        self._socket.sendall(text.encode("utf-8", "surrogateescape") + (data or b""))


_SYNONYMS = {"GET": "READ", "SET": "WRITE", "SETDATA": "WRITEDATA"}


def _expect(right: bool) -> None:
    if not right:
        raise Refused(SYNTAX, "Wrong number of arguments")


def _rest_of_line(stream: Stream, words: list[bytes], line: bytes) -> bytes:
    _expect(len(words) >= 2)
    return line.strip().split(None, 2)[2] if len(words) > 2 else b""


def _counted(stream: Stream, words: list[bytes], line: bytes) -> bytes:
    _expect(len(words) == 3)
    return stream.data(_length(words[2], plain_text(words[0]).upper()))


def _length(word: bytes, command: str) -> int:
    """A number of bytes; TooLong for a text with too many digits, without parsing it."""
    if not word.isdigit():
        raise Refused(SYNTAX, f"Syntax error in '{command}'")
    if len(word) > MOST_DIGITS:
        raise TooLong
    return int(word)


def _until(stream: Stream, words: list[bytes], line: bytes) -> bytes:
    terminator = _rest_of_line(stream, words, line)
    text = bytearray()
    while (following := stream.whole_line()).rstrip() != terminator:
        text += following
    return bytes(text)


#: Functions that read the argument of READ and WRITE, by the commands' suffix.
_ARGUMENTS: dict[str, Callable[[Stream, list[bytes], bytes], bytes]] = {
    "": _rest_of_line,
    "DATA": _counted,
    "UNTIL": _until,
}


def _failed(code: int, what: str, error: HandlerError) -> Refused:
    """The handler's message, on the lines after the error."""
    lines = error.message.splitlines()
    return Refused(code, f"{what}:" if lines else what, *lines)


def _lines(error: ClickError) -> list[str]:
    return render_as_click(error.diagnostics).splitlines()


def is_owner(connection: socket.socket) -> bool:
    """Whether a process of this one's user, or of root, is at the other end of a UNIX socket."""
    if connection.family != socket.AF_UNIX:
        return False
    _, uid, _ = struct.unpack("=iII", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return uid in (0, os.geteuid())
