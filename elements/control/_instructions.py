"""The instructions of a Script, parsed."""

from clickbpf.declare import ArgError, did_you_mean, frozen, shift_word, written_integer

#: Instructions whose only argument is a text.
_TEXT = {"error", "errorq", "print", "printn", "printnq", "printq", "read", "readq", "write", "writeq", "save", "append"}
#: Instructions whose first argument is a variable.
_VARIABLE = {"set", "setq", "init", "initq", "export", "exportq"}
_RETURN = {"return", "returnq"}
SETTING = _VARIABLE | _RETURN
_BARE = {"end", "exit", "stop", "loop"}
_PAUSE = {"pause", "wait_step", "wait_stop"}
_WAIT = {"wait_time", "wait_for"}
_OTHERS = {"goto", "label", "wait"}
NAMES = _TEXT | _VARIABLE | _RETURN | _BARE | _PAUSE | _WAIT | _OTHERS

#: Predefined labels: they end or restart the script.
ENDINGS = {"end", "exit", "stop", "error", "errorq"}
BEGINNINGS = {"begin", "loop"}


@frozen
class Instruction:
    """`name` one of set, init, ..., pause, wait, goto; `variable` or label, `count` of a pause, and the text."""

    name: str
    text: str = ""
    variable: str = ""
    count: int = 0


#: A goto without a label: to the script's beginning, whatever the labels.
BEGIN = Instruction("goto")


def parse(text: str) -> Instruction | None:
    """One instruction; None for an empty text. Raises ArgError."""
    name, rest = shift_word(text)
    if not name:
        return None
    if name not in NAMES:
        raise ArgError(f"syntax error at '{name}'", did_you_mean(name, NAMES) or "there is no such instruction")
    if name == "wait":
        name = "wait_time" if rest else "pause"
    if name in _PAUSE:
        return Instruction("pause", count=_count(name, rest))
    if name in _WAIT:
        return Instruction("wait", rest)
    if name in _RETURN:
        return Instruction(name, rest, "_")
    if name == "goto" and not rest:
        return BEGIN
    if name in _VARIABLE | {"goto", "label"}:
        return _named(name, *shift_word(rest))
    if name in _BARE and rest:
        raise ArgError(f"syntax error at '{name}'", "it takes nothing; commas separate instructions")
    return BEGIN if name == "loop" else Instruction(name, rest)


def _named(name: str, variable: str, rest: str) -> Instruction:
    if not variable or (name in ("set", "setq") and not rest) or (name == "label" and rest):
        raise ArgError(f"syntax error at '{name}'")
    return Instruction(name, rest, variable)


def _count(name: str, text: str) -> int:
    if not text:
        return 1
    count = written_integer(text)
    if count is None or count < 0:
        raise ArgError(f"syntax error at '{name}'", f"'{text}' is no number of steps")
    return count


def check_labels(instructions: list[Instruction]) -> None:
    """Raises ArgError for a goto to a missing label."""
    labels = {i.variable for i in instructions if i.name == "label"} | ENDINGS | BEGINNINGS
    for instruction in instructions:
        if instruction.name == "goto" and instruction is not BEGIN and instruction.variable not in labels:
            raise ArgError(f"no such label '{instruction.variable}'", did_you_mean(instruction.variable, labels))


def find_label(instructions: list[Instruction], label: str) -> int | None:
    """The position of a label, 0 for the script's beginning; None if there is no such label."""
    for position, instruction in enumerate(instructions):
        if instruction.name == "label" and instruction.variable == label:
            return position
    return 0 if label in BEGINNINGS else None
