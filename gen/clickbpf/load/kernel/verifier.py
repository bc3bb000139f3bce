"""Explains the verifier's log: the rule that a program broke, the element that did so, and what to do about it."""

import re

from clickbpf.errors import ClickError, Diagnostic, TooComplex
from clickbpf.load.kernel.objects import OUT_OF_REACH, VerifierError
from clickbpf.objects.cnames import c_names
from clickbpf.objects.hooks import MOST_MAPS
from clickbpf.objects.manifest import ElementEntry, Manifest

SHORTER = "lower the limit of a program (--program-limit), or give every element its own (--chain)"
TOO_COMPLEX = rf"BPF program is too large|The sequence of \d+ jumps is too complex|too many states|{OUT_OF_REACH}"
#: Pattern of a message -> what it means, what to do.
REFUSALS = (
    (
        TOO_COMPLEX,
        "the program has more paths than the kernel is willing to check",
        SHORTER,
    ),
    (r"invalid access to packet", "it reads packet bytes that it has not checked to be there", None),
    (r"invalid mem access '\w+_or_null'", "it uses the result of a lookup that may have found nothing", None),
    (r"combined stack size|stack .*too large|exceeds.*stack", "its functions need more than 512 bytes of stack", "--chain splits it"),
    (
        r"unknown func|invalid func|program of this type cannot use helper|calling kernel function .* is not allowed",
        "this kernel lacks a function that it calls",
        "Linux 6.1 or newer is needed",
    ),
    (r"infinite loop detected|back-edge from insn", "it has a loop whose end the kernel can't see", None),
    (r"dereference of modified ctx ptr|invalid bpf_context access", "it reads its context in a way that the kernel refuses", None),
    (r"unknown opcode|reserved fields|invalid insn", "this kernel does not know one of its instructions", "Linux 6.1 or newer is needed"),
)


#: Lines of the log that report no error.
STATISTICS = re.compile(r"processed \d+ insns|verification time|stack depth|peak_states|^$")


def explain(error: VerifierError, content: bytes, manifest: Manifest) -> ClickError:
    """The refusal in plain words: the element, its place in the configuration, cause and advice, and the log's end."""
    if (refusal := _too_many_maps(error.program, content, manifest)) is not None:
        return refusal
    last = tail(error.verifier_log)
    meaning, hint = next(((m, h) for pattern, m, h in REFUSALS if re.search(pattern, "\n".join(last))), ("", None))
    element = culprit(error, content, manifest)
    message = f"the kernel refused the program {error.program}"
    if element:
        message = f"the kernel refused '{element.name}' ({element.class_name}), in the program {error.program}"
    if meaning:
        message += f": {meaning}"
    quoted = "".join(f"\n    {line}" for line in last)
    kind = TooComplex if re.search(TOO_COMPLEX, "\n".join(last)) else ClickError
    return kind([Diagnostic(element and element.position, message + quoted, hint or "'clickbpf build --emit-c' shows the program")])


def _too_many_maps(program: str, content: bytes, manifest: Manifest) -> TooComplex | None:
    """The refusal of a program that uses too many maps, with the first element beyond the limit. Older kernels' logs don't mention maps."""
    from clickbpf.load.kernel.symbols import maps_of  # as in culprit()

    used = maps_of(content, program)
    if len(used) <= MOST_MAPS:
        return None
    excess = sorted(used, key=used.__getitem__)[MOST_MAPS:]
    owner = {entry.map: entry.element for entry in manifest.states}
    name = next((owner[each] for each in excess if each in owner), None)
    element = next((element for element in manifest.elements if element.name == name), None)
    whose = f", of which the first that is too many is '{element.name}' ({element.class_name})'s" if element else ""
    message = f"the program {program} uses {len(used)} maps{whose}: the kernel lets a program use {MOST_MAPS}, and every table is a map"
    return TooComplex([Diagnostic(element and element.position, message, SHORTER)])


def tail(log: str, lines: int = 4) -> list[str]:
    """The last lines of the log that aren't statistics; the last one is the message."""
    return [line for line in log.splitlines() if not STATISTICS.search(line)][-lines:]


def culprit(error: VerifierError, content: bytes, manifest: Manifest) -> ElementEntry | None:
    """The element whose code the verifier was looking at last, found by the functions inlined there."""
    from clickbpf.load.kernel.symbols import functions_at  # reads DWARF, for which a library is imported

    instructions = re.findall(r"^(\d+): \(", error.verifier_log, re.MULTILINE)
    if not instructions:
        return None
    functions = c_names(element.name for element in manifest.elements)
    by_function = {functions[element.name]: element for element in manifest.elements}
    for name in functions_at(content, error.program, int(instructions[-1])):
        if name in by_function:
            return by_function[name]
    return None
