"""A Script's functions, called as handlers: arithmetic, comparison, logic, strings. Each maps a string to a string."""

import functools
import itertools
import math
import operator
import os
import random
import re
import signal
import struct
import threading
from collections.abc import Callable, Iterator

from clickbpf.declare import ArgError, Bool, Filename, quote, shift_word, split_words, unquote, written_integer

Number = int | float


def integer(text: str) -> int | None:
    """A 64-bit integer."""
    value = written_integer(text)
    return value if value is not None and value == wrapped(value) else None


def wrapped(value: int) -> int:
    """The value as a signed 64-bit integer, wrapped around as in C."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def real(text: str) -> float | None:
    """A number as read by C's strtod(): 010 is ten. None if it is too large for a double."""
    try:
        value = float.fromhex(text) if text.lstrip("+-")[:2] in ("0x", "0X") else float("" if "_" in text else text)
    except (ValueError, OverflowError):
        return None
    return None if math.isinf(value) and text.strip("+-")[0].isdigit() else value


def show(value: Number) -> str:
    """A number as printed by C on x86: integers have 64 bits, NaN has a sign."""
    if isinstance(value, int):
        return str(wrapped(value))
    sign = "-" if math.isnan(value) and math.copysign(1, value) < 0 else ""
    return f"{sign}{value:.12g}"


def numbers(text: str, count: int | None = None) -> list[Number]:
    """Integers up to the first word that isn't an integer; real numbers from there on."""
    words = split_words(text)
    integers = [value for value in itertools.takewhile(lambda value: value is not None, map(integer, words)) if value is not None]
    found = [*integers, *map(real, words[len(integers) :])]
    if None in found or (count is not None and len(found) != count):
        raise ArgError({1: "expected one number", 2: "expected two numbers"}.get(count or 0, "expected list of numbers"))
    return [value for value in found if value is not None]


def reals(text: str) -> list[Number]:
    """All words as real numbers, integers included."""
    found = [real(word) for word in split_words(text)]
    if None in found:
        raise ArgError("expected list of numbers")
    return [value for value in found if value is not None]


def two(text: str) -> tuple[Number, Number] | None:
    """Two integers, or two real numbers."""
    words = split_words(text)
    for read in (integer, real):
        found = [value for value in map(read, words) if value is not None]
        if len(words) == len(found) == 2:
            return found[0], found[1]
    return None


def fold(
    function: Callable[[Number, Number], Number], of_none: Number, read: Callable[[str], list[Number]] = numbers
) -> Callable[[str], str]:
    """Apply a function from left to right; intermediate results are truncated to 64 bits, to bound their size."""

    def apply(a: Number, b: Number) -> Number:
        result = function(a, b)
        return wrapped(result) if isinstance(result, int) else result

    return lambda text: show(functools.reduce(apply, read(text) or [of_none]))


def divide(a: Number, b: Number) -> Number:
    """Divide as C does: division by zero gives infinity, not an error."""
    if b == 0:
        return -math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def idiv(text: str) -> str:
    values = reals(text) or [1]
    result = float(functools.reduce(divide, values))
    return str(int(result) if abs(result) < 1 << 63 else -1 << 63)


def average(text: str) -> str:
    """The average; for integers an integer, as in FastClick."""
    values = numbers(text)
    if not values:
        raise ArgError("expected list of numbers")
    if all(isinstance(value, int) for value in values):
        total = wrapped(int(sum(values)))
        return str(abs(total) // len(values) * (1 if total > 0 else -1))
    return show(sum(values) / len(values))


def count_greater(text: str) -> str:
    """The count of numbers greater than the first."""
    first, *others = numbers(text) or [0]
    return str(sum(value > first for value in others))


def rounded(text: str, function: Callable[[float], float]) -> str:
    """The number rounded by `function`; 0 keeps its sign, as in C."""
    (value,) = numbers(text, 1)
    if isinstance(value, int) or not math.isfinite(value):
        return show(value)
    return show(math.copysign(function(value), value))


def half_away(value: float) -> float:
    """The nearest integer; halfway cases are rounded away from 0."""
    whole = math.floor(abs(value))
    return math.copysign(whole + (abs(value) - whole >= 0.5), value)


def remainder(text: str, integers_only: bool) -> str:
    a, b = two(text) or (None, None)
    if a is None or b is None or (integers_only and not isinstance(a, int)):
        raise ArgError("expected two numbers")
    if isinstance(a, int) and isinstance(b, int):
        if b == 0:
            raise ArgError("division by zero")
        return str(a - b * int(abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1))
    try:
        return show(math.fmod(a, b))
    except ValueError:
        return show(-math.nan)


def compare(text: str, test: Callable[[int, int], bool]) -> str:
    """Compare two numbers, or two strings. A NaN is greater than everything, as in Click."""
    words = split_words(text)
    if len(words) != 2:
        raise ArgError("expected two numbers")
    a, b = two(text) or (unquote(word).encode("utf-8", "surrogateescape") for word in words)
    return Bool().unparse(test(-1 if a < b else 0 if a == b else 1, 0))


def boolean(text: str) -> bool:
    try:
        return Bool().parse(text)
    except ArgError:
        raise ArgError("syntax error", f"'{text}' is neither true nor false") from None


def booleans(text: str) -> Iterator[bool]:
    """Words, each read when it is asked for: what follows the word that decides may be anything."""
    return map(boolean, split_words(text))


def negated(function: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: Bool().unparse(function(text) == "false")


def conditional(text: str) -> str:
    condition, *values = split_words(text) or [""]
    chosen = 0 if boolean(condition) else 1
    return values[chosen] if chosen < len(values) else ""


def contains(text: str) -> str:
    word, *others = [unquote(word) for word in split_words(text)] or [""]
    return Bool().unparse(bool(word) and word in others)


def random_number(text: str) -> str:
    values = numbers(text)
    if not values:
        return str(random.getrandbits(31))
    low, high = (values[0], values[1]) if len(values) == 2 else (0, values[0] - 1)
    if len(values) > 2 or high < low or not isinstance(low, int) or not isinstance(high, int):
        raise ArgError("bad N")
    return str(random.randint(low, high))


_CONVERSION = re.compile(r"%(?P<flags>[-0# +]*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?(?P<size>[hlLq]*)(?P<kind>.?)", re.DOTALL)


_NO_MARKS = str.maketrans("", "", "#0")


def octal(form: str, without_precision: str, value: int) -> str:
    """A format for octal numbers as in C's `%#o`: with at least one leading 0. (Python's `%#o` has 0o there.)"""
    begins_with_zero = (f"{form}o" % value).strip(" +")[0] == "0"
    return form if begins_with_zero else f"%{without_precision}.{len(f'{value:o}') + 1}"


#: The longest result of sprintf, in characters.
LONGEST = 1 << 20
#: The most digits of a width: enough to exceed LONGEST.
MOST_DIGITS = 12


def sprintf(text: str) -> str:
    """Format integers and strings as C does; the first word is the format."""
    form, rest = shift_word(text)
    words = iter(split_words(rest))
    room = LONGEST - len(form)

    def take() -> str:
        word = next(words, None)
        if word is None:
            raise ArgError("syntax error")
        return word

    def take_integer(kind: str = "d", size: str = "") -> int:
        value = written_integer(take())
        signed = kind in "di"
        if value is None or not -(1 << 63) * signed <= value < (1 << 64 - signed):
            raise ArgError("syntax error")
        if not size.endswith("h"):
            return value
        short = value % (1 << 16)
        return short - (1 << 16) if signed and short >> 15 else short

    def replace(match: re.Match[str]) -> str:
        width = str(take_integer()) if match["width"] == "*" else match["width"]
        precision = str(take_integer()) if match["precision"] == "*" else match["precision"] or ""
        if precision[:1] == "-":
            raise ArgError("syntax error")
        make_room(width, precision)
        form = f"%{match['flags']}{width}" + (precision and f".{precision}")
        if match["kind"] == "s":
            return f"{form}s" % unquote(take())
        if match["kind"] == "%":
            return f"{form}s" % "%"
        if not match["kind"] or match["kind"] not in "diouxX":
            raise ArgError("syntax error")
        value = take_integer(match["kind"], match["size"])
        if match["kind"] == "o" and "#" in match["flags"]:
            form = octal(form.replace("#", ""), match["flags"].translate(_NO_MARKS) + width, value)
        return f"{form}{match['kind']}" % value

    def make_room(*numbers: str) -> None:
        nonlocal room
        room -= sum(abs(int(number[:MOST_DIGITS])) for number in numbers if number)
        if room < 0:
            raise ArgError("result too long", f"at most {LONGEST} characters")

    result = _CONVERSION.sub(replace, unquote(form))
    if next(words, None) is not None:
        raise ArgError("syntax error")
    return result


def swapped(size: str) -> Callable[[str], str]:
    """Convert between host and network byte order. Numbers outside signed 32 bits are clamped."""

    def call(text: str) -> str:
        value = integer(text.strip())
        if value is None:
            raise ArgError("syntax error")
        value = max(-(1 << 31), min(value, (1 << 31) - 1))
        mask = (1 << 8 * struct.calcsize(size)) - 1
        return str(struct.unpack(f"={size}", struct.pack(f"!{size}", value & mask))[0])

    return call


def cat(text: str) -> str:
    name = Filename().parse(text.strip())
    try:
        with open(name, "rb") as file:
            return file.read().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise ArgError(f"{name}: {error.strerror}") from None


def signal_number(word: str) -> int | None:
    """A signal by name, without SIG, or by number."""
    name = f"SIG{word}"
    number = integer(word) if word[:1].isdigit() else getattr(signal, name, None) if name in _SIGNALS else None
    return int(number) if number is not None and 0 <= number < 32 else None


_SIGNALS = {"SIGABRT", "SIGALRM", "SIGHUP", "SIGINT", "SIGIO", "SIGPIPE", "SIGQUIT", "SIGTERM", "SIGTSTP", "SIGUSR1", "SIGUSR2"}


def kill(text: str) -> str:
    """Send a signal to processes."""
    word, *processes = split_words(text) or [""]
    number = signal_number(word)
    if number is None:
        raise ArgError("bad SIGNO")
    for process in map(integer, processes):
        if process is None:
            raise ArgError("bad PID")
        try:
            _send(process, number)
        except OSError as error:
            raise ArgError(f"kill({process}, {number}): {error.strerror}") from None
    return ""


def _send(process: int, number: int) -> None:
    """Signal this process through this thread, so that the signal is delivered before anything else happens."""
    if process == os.getpid():
        signal.pthread_kill(threading.get_ident(), number)
    else:
        os.kill(process, number)


def all_of(text: str) -> str:
    return Bool().unparse(all(booleans(text)))


def any_of(text: str) -> str:
    return Bool().unparse(any(booleans(text)))


FUNCTIONS: dict[str, Callable[[str], str]] = {
    "add": fold(operator.add, 0),
    "sub": fold(operator.sub, 0),
    "mul": fold(operator.mul, 1),
    "min": fold(min, 1),
    "max": fold(max, 1),
    "div": fold(divide, 1, reals),
    "idiv": idiv,
    "mod": lambda text: remainder(text, True),
    "rem": lambda text: remainder(text, False),
    "avg": average,
    "popcount": lambda text: str(sum(value != 0 for value in numbers(text))),
    "gt_vec": count_greater,
    "ceil": lambda text: rounded(text, math.ceil),
    "floor": lambda text: rounded(text, math.floor),
    "round": lambda text: rounded(text, half_away),
    "neg": lambda text: show(-numbers(text, 1)[0]),
    "abs": lambda text: show(abs(numbers(text, 1)[0])),
    **{name: lambda text, test=getattr(operator, name): compare(text, test) for name in ("eq", "ne", "lt", "gt", "le", "ge")},
    "not": negated(lambda text: Bool().unparse(boolean(text.strip()))),
    "and": all_of,
    "or": any_of,
    "nand": negated(all_of),
    "nor": negated(any_of),
    "if": conditional,
    "in": contains,
    "first": lambda text: shift_word(text)[0],
    "sprintf": sprintf,
    "random": random_number,
    "length": lambda text: str(len(text.encode("utf-8", "surrogateescape"))),
    "unquote": unquote,
    "htons": swapped("H"),
    "htonl": swapped("I"),
    "ntohs": swapped("H"),
    "ntohl": swapped("I"),
}

#: Functions that share the name of a common handler: not listed for Script, so that `*.count` matches only counts of packets.
UNLISTED_FUNCTIONS: dict[str, Callable[[str], str]] = {"count": lambda text: str(len(numbers(text)))}

#: Functions that access this machine: for scripts, not for clients of control sockets.
LOCAL_FUNCTIONS: dict[str, Callable[[str], str]] = {"cat": cat, "catq": lambda text: quote(cat(text)), "kill": kill}
