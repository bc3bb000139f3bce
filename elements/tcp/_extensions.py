"""Extensions of TCP: files of hooks, chained at compile time in the given order; each hook calls the layer below."""

import os
import re
from pathlib import Path
from zlib import crc32

from clickbpf.args.types.base import Type, quoted
from clickbpf.declare import NOWHERE, ArgError, Context, did_you_mean
from clickbpf.objects.ctext import c_identifier, c_include

FOLDER = Path(__file__).parent / "extensions"
ENDING = ".inc.h"
BASE = Path(__file__).parent / "base.inc.h"

#: Every hook: its result, its parameters after the connection, and when it is called.
HOOKS = {
    "begin": ("void", ("__u32 seq",), "the peer's SYN has arrived, with the sequence number `seq`"),
    "write_options": ("__u32", ("__u8 *at", "__u8 flags"), "a segment is made; returns the bytes of options at `at`, a multiple of 4"),
    "arrive": ("void", ("const struct tcp_segment *s",), "a segment has arrived, acceptable or not"),
    "read_options": ("void", ("const struct tcp_segment *s",), "the options of a segment are to be read"),
    "read_option": ("void", ("const __u8 *option", "__u8 flags"), "a segment has a complete option: kind, length and the rest"),
    "accept": ("bool", ("const struct tcp_segment *s",), "a segment's options have been read; false to ignore the segment, apart from an "
        "acknowledgement"),
    "predict": ("bool", ("const struct tcp_segment *s",), "a segment has arrived; true if the hook has processed it completely"),
    "acknowledge": ("void", ("__u32 ack",), "a segment acknowledges more than those before it"),
    "new_ack": ("void", ("__u32 bytes",), "this many bytes have been acknowledged for the first time"),
    "total_ack": ("void", (), "nothing is unacknowledged any more"),
    "duplicate_ack": ("void", (), "an acknowledgement shows that another segment was received beyond a gap"),
    "lost": ("void", (), "acknowledgements show that the segment after them is lost"),
    "reduce": ("__u32", (), "a loss was detected; returns the new congestion window, if there is one"),
    "avoid": ("__u32", ("__u32 bytes",), "this many bytes are acknowledged in congestion avoidance; returns by how much the window grows"),
    "missing": ("__u32", ("__u32 *seq",), "a segment may be sent; returns the number of bytes, from `seq` on, to retransmit first"),
    "window": ("__u32", (), "how many bytes may be unacknowledged"),
    "send": ("void", ("__u32 seq", "__u32 length"), "a segment with this many sequence numbers is about to leave"),
    "receive_data": ("void", ("__u32 length",), "this many bytes were received in order"),
    "timeout": ("void", (), "the retransmission timer has expired: what was sent into an open window seems to be lost"),
    "alarm": ("void", (), "the timer DELAY, which extensions may set, is due"),
}


class Extension(Type):
    """The name of an extension, or the path of a file with one; the value is its path."""

    def parse(self, text: str, context: Context = NOWHERE) -> Path:
        path = Path(text) if os.sep in text else FOLDER / (text + ENDING)
        if not path.is_file():
            hint = did_you_mean(text, standard()) or f"{', '.join(standard())}, or the path of a file"
            raise ArgError(f"no extension {quoted(text)}", hint)
        return path.absolute()

    def describe(self) -> str:
        return "the name of an extension"


def standard() -> list[str]:
    return sorted(map(name_of, FOLDER.glob(f"*{ENDING}")))


def name_of(path: Path) -> str:
    return path.name.partition(".")[0]


def prototypes(name: str) -> str:
    """C declarations, for other elements, of the hooks of the connections with the C name `name`."""
    return "".join(f"{_head(f'{name}_hook', hook)};\n" for hook in HOOKS)


def chain(name: str, extensions: tuple[Path, ...]) -> str:
    """The C code of the layers, each with all hooks: one whose hooks do nothing, the base, the extensions, and `hook`, which calls the last
    of them."""
    below = f"{name}_nothing"
    text, layers = f"enum {{ {below}_end }};\n{_passed_on(below)}", ""
    for path in (BASE, *extensions):
        layer, file = f"{name}_{c_identifier(name_of(path))}", path.read_text(encoding="utf-8")
        layers += f"\t{{{crc32(file.encode())}, {below}_end, {layer}_end}},\n"
        size = "sizeof(struct STATE)" if "struct STATE" in file else 0
        defined = frozenset(re.findall(r"^HOOK\([^,]+, *(\w+)", file, re.MULTILINE))
        text += f"#define LAYER {layer}\n#define LOWER {below}\n{c_include(path)}STATE_ENDS({size});\n"
        text += f"{_passed_on(layer, below, defined)}#undef LAYER\n#undef LOWER\n"
        below = layer
    text += f"enum {{ {name}_hook_end = {below}_end }};\nstatic const struct tcp_layer {name}_layers[] = {{\n{layers}\t{{}}\n}};\n"
    return text + _passed_on(f"{name}_hook", below)


def _head(layer: str, hook: str) -> str:
    result, parameters, _ = HOOKS[hook]
    return f"static __always_inline {result} {layer}_{hook}({', '.join(f'{p} UNUSED' for p in ('struct tcp *t', *parameters))})"


def _passed_on(layer: str, below: str = "", but: frozenset[str] = frozenset()) -> str:
    """The layer's hooks that it doesn't define: they call those of the layer below, if there is one."""
    text = ""
    for hook in (hook for hook in HOOKS if hook not in but):
        names = ", ".join(("t", *(parameter.split("*")[-1].split()[-1] for parameter in HOOKS[hook][1])))
        called = f"{below}_{hook}({names})" if below else f"({HOOKS[hook][0]})0"
        text += f"{_head(layer, hook)}\n{{\n\treturn {called};\n}}\n"
    return text
