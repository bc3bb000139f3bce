"""Elements' native actions under libFuzzer, with the address and undefined-behaviour sanitizers: the router is a manual page's.

    python -m tests.fuzz.elements CLASS [CLASS ...] -- -max_total_time=60

starts a process with what has to be preloaded; several classes are beside each other in one router. What follows `--` are
libFuzzer's options. An input that ends badly is left in the folder that it ran in.
"""

import ctypes
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from scapy.utils import wrpcap

from clickbpf.build.host import build_library, find_compiler, sanitizer_library
from clickbpf.cache import cached, content_hash
from clickbpf.compile import Compilation, check_text
from clickbpf.errors import ClickError
from clickbpf.graph.codes import PUSH
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.library import SIDES
from clickbpf.testing.examples import examples
from clickbpf.testing.packets import IPV6, Mix, generate
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.sources import c_source

SANITIZE = "address,undefined,fuzzer-no-link"
DRIVER = Path(__file__).with_name("driver.c")
ROOT = Path(__file__).parents[2]
#: Inputs that a run begins with, and packets in each.
SEEDS, PACKETS = 60, 3
#: Bytes of an input at most, and when simulated time begins, in nanoseconds.
LONGEST, CLOCK = 2048, 10**18
#: Of the runtime's library, those that the driver calls.
_FUNCTIONS = ("inject", "push", "settle", "collect", "set_clock")


class _Way(ctypes.Structure):
    _fields_ = [("element", ctypes.c_int32), ("number", ctypes.c_uint32)]


class _Target(ctypes.Structure):
    """struct target of driver.c."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in (*_FUNCTIONS, "runtime", "way")),
        *((name, ctypes.c_uint32) for name in ("ways", "devices", "sides")),
        ("clock", ctypes.c_uint64),
    ]


@cache
def fuzzer_library() -> Path | None:
    """libFuzzer without a main(), as the compiler has it; None where it is missing."""
    with_it = find_compiler()
    if "clang" not in with_it.path:
        return None
    for name in ("libclang_rt.fuzzer_no_main-x86_64.a", "libclang_rt.fuzzer_no_main.a"):
        path = Path(with_it.run(f"-print-file-name={name}").strip())
        if path.is_absolute():
            return path
    return None


def driver() -> Path:
    """The driver, compiled with libFuzzer in it."""

    def make(path: Path) -> None:
        library = ("-Wl,--whole-archive", str(fuzzer_library()), "-Wl,--no-whole-archive", "-l:libstdc++.so.6", "-lm")
        find_compiler().run("-shared", str(DRIVER), "-fvisibility=default", *library, "-o", str(path))

    return cached(f"fuzz-{content_hash((DRIVER.read_bytes(),))}.so", make)


def spawn(classes: Sequence[str], options: Sequence[str], folder: Path, limit: float | None = None) -> subprocess.CompletedProcess[str]:
    """Fuzz in a process of its own, in this folder; `limit` in seconds."""
    build_library(SANITIZE)  # here, where the compiler isn't sanitized as well
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(ROOT / "gen"), str(ROOT))),
        "LD_PRELOAD": f"{driver()}:{sanitizer_library(SANITIZE)}",
        "ASAN_OPTIONS": "detect_leaks=0:verify_asan_link_order=0:handle_segv=1",
    }
    command = [sys.executable, "-m", "tests.fuzz.elements", "--inside", *classes, "--", *options]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=limit, errors="replace")


def configuration(library: Library, classes: Sequence[str]) -> str:
    """The first example of each class's manual page; of several, each in a compound of its own, with devices of its own."""
    parts = []
    for name in classes:
        found = examples(library.find(name), library)
        if not found:
            raise ClickError(f"the manual page of {name} has no example")
        parts.append(found[0].configuration)
    if len(parts) == 1:
        return parts[0]
    return "".join(f"its_{name} :: {{\n{_own_devices(name, part)}\n}};\n" for name, part in zip(classes, parts))


def _own_devices(name: str, text: str) -> str:
    """With devices that no other class's example has."""
    devices = sorted(set(re.findall(r"\b(?:From|To|Poll)Device\((\w+)", text)))
    return re.sub(rf"\b({'|'.join(devices)})\b", rf"{name}_\1", text) if devices else text


def ways_in(runtime: Runtime, names: dict[str, int]) -> Iterator[tuple[int, int]]:
    """All places where a packet can be pushed: devices, as (-1, number), and elements' push inputs."""
    yield from ((-1, number) for number in range(len(runtime.devices)))
    for name, element in runtime.instances.items():
        if element.receives_from() is None and c_source(type(element)) is not None:
            modes = runtime.checked.processing[name].inputs
            yield from ((names[name], port) for port, mode in enumerate(modes) if mode == PUSH)


def seeds(folder: Path, ways: int, mix: Mix) -> None:
    packets = iter(generate(SEEDS * PACKETS, 0, mix))
    for number in range(SEEDS):
        parts = [(number % ways, 0, packet[: LONGEST // PACKETS]) for _, packet in zip(range(PACKETS), packets)]
        content = b"".join(bytes((way, pause)) + len(packet).to_bytes(2, "big") + packet for way, pause, packet in parts)
        (folder / f"{number}").write_bytes(content)


def inside(classes: Sequence[str], options: Sequence[str]) -> None:
    """In the process with everything preloaded; it ends here."""
    library = Library.standard()
    text = configuration(library, classes)
    frames = generate(20)
    for file in set(re.findall(r"[\w-]+\.pcap", text)):
        wrpcap(file, frames)
    checked = check_text(text, library)
    runtime = Runtime(Compilation(checked), sanitize=SANITIZE, clock=CLOCK)
    runtime.add_memory_devices()
    runtime.seed(1)
    runtime.initialise()
    ways = list(ways_in(runtime, runtime._numbers))
    six = all(c_source(library.find(name)).parent.name == "ip6" for name in classes)
    with tempfile.TemporaryDirectory() as corpus:
        seeds(Path(corpus), len(ways), IPV6 if six else Mix())
        made = (_Way * len(ways))(*ways)
        target = _Target(
            **{name: ctypes.cast(getattr(runtime.library, f"runtime_{name}"), ctypes.c_void_p).value for name in _FUNCTIONS},
            runtime=runtime._runtime,
            way=ctypes.addressof(made),
            ways=len(ways),
            devices=len(runtime.devices),
            sides=len(SIDES),
            clock=CLOCK,
        )
        words = ["fuzz", f"-max_len={LONGEST}", *options, corpus]
        arguments = (ctypes.c_char_p * (len(words) + 1))(*(word.encode() for word in words), None)
        ctypes.CDLL(str(driver())).fuzz(ctypes.byref(target), len(words), arguments)


def main(words: list[str]) -> int:
    split = words.index("--") if "--" in words else len(words)
    classes, options = words[:split], words[split + 1 :]
    if classes[:1] == ["--inside"]:
        inside(classes[1:], options)
    done = spawn(classes, options, Path.cwd())
    print(done.stdout + done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
