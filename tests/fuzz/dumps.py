"""Files that FromDump and FromIPSummaryDump read, damaged: read to their end or refused, under the address sanitizer.

    python -m tests.fuzz.dumps SEED COUNT

starts a process with what has to be preloaded. A file that ends badly stays behind as `bad-...` in the folder that it ran in.
"""

import gzip
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from clickbpf.build.host import build_library, sanitizer_library
from clickbpf.compile import Compilation, check_text
from clickbpf.errors import ClickError
from clickbpf.runtime.host import Runtime
from clickbpf.testing.packets import generate
from clickbpf.vocabulary.library import Library

ROOT = Path(__file__).parents[2]
SANITIZE = "address,undefined"
FIELDS = (
    "timestamp ip_src sport ip_dst dport ip_len ip_proto ip_opt ip_frag ip_fragoff ip_tos ip_ttl ip_sum ip_id tcp_flags tcp_seq "
    "tcp_ack tcp_opt tcp_sack tcp_window payload_len payload payload_md5_hex count direction link first_timestamp eth_src eth_dst "
    "icmp_type icmp_code ip6_src ip6_dst ip6_tclass ip6_flow ip6_hlim ip6_len ip6_nxt ip6_proto ip6_fragoff ip6_id icmp6_type "
    "icmp6_code icmp6_seq icmp6_mtu"
)
READERS = {
    "dump": "FromDump(NAME, STOP true, FORCE_IP SWITCH) -> c :: Counter -> Discard;",
    "summary": "FromIPSummaryDump(NAME, STOP true, CHECKSUM SWITCH, MULTIPACKET true, TIMING false) -> c :: Counter -> Discard;",
}
#: Of pcap files: what they begin with, by which their records and times are told, and link types.
MAGICS, LINKS = (0xA1B2C3D4, 0xA1B23C4D, 0xA1B2CD34), (1, 12, 113)
#: Words of four bytes, and pieces of text, that may mean something.
NUMBERS = (0, 1, 15, 16, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0x80000008, 0xFFFFFFFF)
TEXTS = (
    *(bytes([character]) for character in b'\n !-{};"+^\0'), b"9" * 30, b"99999999999", b"!binary\n", b"!data payload\n",
)  # fmt: skip
LIBRARY = Library.standard()
#: Turns of the driver for a file: none is that long.
TURNS = 3000


def run(text: str) -> None:
    made = Compilation(check_text(text, LIBRARY))
    with suppress(ClickError), Runtime(made, sanitize=SANITIZE, clock=10**18) as runtime:
        runtime.settle(TURNS)


def sound(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Files as this project writes them, and as others do: what reads them, and what is in them."""
    frames = [frame for frame in generate(40, 3) if len(frame) < 300][:16]
    plain = pcap(frames)
    yield from (("dump", pcap(frames, order, magic, link)) for order in "<>" for magic in MAGICS for link in LINKS)
    yield from (("dump", plain), ("dump", gzip.compress(plain)))
    (folder / "plain").write_bytes(plain)
    for binary in ("false", "true"):
        written = folder / "written"
        fields = " ".join(word for word in FIELDS.split() if binary == "false" or not word.startswith("payload_md5") and word != "payload")
        run(f"FromDump({folder}/plain, STOP true, FORCE_IP true) -> ToIPSummaryDump({written}, FIELDS {fields}, BINARY {binary});")
        yield "summary", written.read_bytes()
    yield "summary", b"!data ip_src ip_opt tcp_opt payload\n1.2.3.4 rr{1.2.3.4}+5;ts{1,!45}+2++3 mss1400;sack95-98 \"a\\x00\\\"\"\n"
    yield "summary", b"!flowid 2001:db8::1 1 2001:db8::2 2 U\n!data ip6_fragoff ip6_id ip6_len payload\n24+ 7 100 abc\n0 - - -\n"
    for path in sorted((Path(__file__).parent / "kept").glob("*.dump")):
        yield path.name.partition("-")[0], path.read_bytes()


def pcap(frames: list[bytes], order: str = "<", magic: int = 0xA1B2C3D4, link: int = 1) -> bytes:
    """A file of the format pcap, with records as each magic number says: its own have 8 bytes more (Kuznetzov's)."""
    kind = {"<": "little", ">": "big"}[order]
    words = [magic, 2 | 4 << 16 if order == "<" else 2 << 16 | 4, 0, 0, 65535, link]
    more = bytes(8) if magic == 0xA1B2CD34 else b""
    records = ([number, 5, len(frame), len(frame) + 3] for number, frame in enumerate(frames))
    heads = (b"".join(word.to_bytes(4, kind) for word in record) + more for record in records)
    return b"".join(word.to_bytes(4, kind) for word in words) + b"".join(head + frame for head, frame in zip(heads, frames))


def damaged(random: Random, content: bytes) -> bytes:
    """One to four changes: bytes, extreme words, parts left out, doubled or cut off."""
    made = bytearray(content)
    for _ in range(1 + random.randrange(4)):
        at = random.randrange(min(len(made), 200) + 1) if random.randrange(2) else random.randrange(len(made) + 1)
        kind = random.randrange(6)
        if kind == 0:
            made[at : at + 1] = bytes([random.randrange(256)])
        elif kind == 1:
            made[at : at + 4] = random.choice(NUMBERS).to_bytes(4, random.choice(("big", "little")))
        elif kind == 2:
            del made[at : at + 1 + random.randrange(20)]
        elif kind == 3:
            made[at:at] = made[at : at + 1 + random.randrange(60)]
        elif kind == 4:
            del made[at:]
        else:
            made[at:at] = random.choice(TEXTS)
    return bytes(made)


def read(folder: Path, reader: str, content: bytes, switch: bool) -> None:
    path = folder / f"bad-{reader}"
    path.write_bytes(content)
    run(READERS[reader].replace("NAME", str(path)).replace("SWITCH", str(switch).lower()))


def inside(seed: int, count: int) -> None:
    """All files as they are, then so many that are damaged."""
    random, folder = Random(seed), Path.cwd()
    files = list(sound(folder))
    for reader, content in files:
        read(folder, reader, content, True)
    for number in range(count):
        reader, content = random.choice(files)
        read(folder, reader, damaged(random, content), bool(number % 2))
    print(f"{count} files read")


def spawn(seed: int, count: int, folder: Path, limit: float | None = None) -> subprocess.CompletedProcess[str]:
    """In a process of its own, in this folder; `limit` in seconds."""
    build_library(SANITIZE)  # here, where the compiler isn't sanitized as well
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(ROOT / "gen"), str(ROOT))),
        "LD_PRELOAD": str(sanitizer_library(SANITIZE)),
        "ASAN_OPTIONS": "detect_leaks=0",
    }
    command = [sys.executable, "-m", "tests.fuzz.dumps", "--inside", str(seed), str(count)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=limit, errors="replace")


def main(words: list[str]) -> int:
    if words[:1] == ["--inside"]:
        inside(int(words[1]), int(words[2]))
        return 0
    done = spawn(int(words[0]), int(words[1]), Path.cwd())
    print(done.stdout + done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
