"""Extensions of TCP: files of hooks, chained at compile time in the given order; each hook calls the layer below."""

import os
import re
from pathlib import Path
from zlib import crc32

from clickbpf.args.types.base import Type, quoted
from clickbpf.declare import NOWHERE, ArgError, Context, did_you_mean, split_words
from clickbpf.objects.ctext import c_identifier, c_include

FOLDER = Path(__file__).parent / "extensions"
ENDING = ".inc.h"

#: Every hook: its result, its parameters after the connection, and when it is called.
HOOKS = {
    "begin": ("void", (), "the peer's SYN has arrived"),
    "write_options": ("__u32", ("__u8 *at", "__u8 flags"), "a segment is made; returns the bytes of options at `at`, a multiple of 4"),
    "arrive": ("void", ("const struct tcp_segment *s",), "a segment has arrived, acceptable or not"),
    "read_option": ("void", ("const __u8 *option", "__u8 flags"), "a segment has a complete option: kind, length and the rest"),
    "accept": ("bool", ("const struct tcp_segment *s",), "a segment's options have been read; false to ignore the segment, apart from an "
        "acknowledgement"),
    "predict": ("bool", ("const struct tcp_segment *s",), "a segment has arrived; true if the hook has processed it completely"),
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
    "timeout": ("void", (), "the retransmission timer has expired"),
    "alarm": ("void", (), "the timer DELAY, which extensions may set, is due"),
}


class Extension(Type):
    """Names of extensions, or paths of files with one, separated by spaces; the value is their paths."""

    def parse(self, text: str, context: Context = NOWHERE) -> tuple[Path, ...]:
        found = tuple(_find(word) for word in split_words(text))
        twice = next((path for i, path in enumerate(found) if path in found[:i]), None)
        if twice:
            raise ArgError(f"{_name(twice)} is named twice")
        return found

    def describe(self) -> str:
        return "names of extensions"


def standard() -> list[str]:
    return sorted(path.name.removesuffix(ENDING) for path in FOLDER.glob(f"*{ENDING}"))


def _name(path: Path) -> str:
    return path.name.partition(".")[0]


def _find(word: str) -> Path:
    path = Path(word) if os.sep in word else FOLDER / (word + ENDING)
    if not path.is_file():
        hint = did_you_mean(word, standard()) or f"{', '.join(standard())}, or the path of a file"
        raise ArgError(f"no extension {quoted(word)}", hint)
    return path.absolute()


def prototypes(name: str) -> str:
    """C declarations, for other elements, of the hooks of the connections with the C name `name`."""
    return "".join(
        f"static __always_inline {result} {name}_hook_{hook}({', '.join(('struct tcp *t', *parameters))});\n"
        for hook, (result, parameters, _) in HOOKS.items()
    )


def chain(name: str, extensions: tuple[Path, ...]) -> str:
    """The C code of the layers: the base, the extensions, and `hook`, which calls the last of them."""
    text, below = f'#define LAYER {name}_base\n#include "tcp/base.inc.h"\n#undef LAYER\nenum {{ {name}_base_end }};\n', f"{name}_base"
    layers = ""
    for path in extensions:
        layer = f"{name}_{c_identifier(_name(path))}"
        layers += f"\t{{{crc32(path.read_bytes())}, {below}_end, {layer}_end}},\n"
        text += f"#define LAYER {layer}\n#define LOWER {below}\n{c_include(path)}"
        size = "sizeof(struct STATE)" if "struct STATE" in path.read_text(encoding="utf-8") else 0
        text += f"STATE_ENDS({size});\n" + _passed_on(layer, below, _defined(path)) + "#undef LAYER\n#undef LOWER\n"
        below = layer
    text += f"enum {{ {name}_hook_end = {below}_end }};\nstatic const struct tcp_layer {name}_layers[] = {{\n{layers}\t{{}}\n}};\n"
    return text + _passed_on(f"{name}_hook", below, frozenset())


def _defined(path: Path) -> frozenset[str]:
    return frozenset(re.findall(r"^HOOK\([^,]+, *(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))


def _passed_on(layer: str, below: str, defined: frozenset[str]) -> str:
    text = ""
    for hook, (result, parameters, _) in HOOKS.items():
        if hook not in defined:
            given = ", ".join(("t", *(re.findall(r"\w+$", p)[0] for p in parameters)))
            text += f"static __always_inline {result} {layer}_{hook}({', '.join(('struct tcp *t', *parameters))})\n"
            text += f"{{\n\t{'' if result == 'void' else 'return '}{below}_{hook}({given});\n}}\n"
    return text
