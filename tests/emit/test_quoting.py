"""No text of a configuration gets into the emitted C but as a string, a comment or a part of a name."""

import re
import subprocess

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clickbpf.build.bpf import FLAGS as BPF_FLAGS
from clickbpf.build.bpf import find_clang
from clickbpf.build.host import FLAGS, HEADERS, build_library, build_router, drops_header
from clickbpf.build.sources import folder
from clickbpf.compile import Compilation, check_text
from clickbpf.emit.bpf import emit
from clickbpf.emit.native import emit_native
from clickbpf.lang.config import quote
from clickbpf.plan import Options
from clickbpf.plan.plan import plan
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library

CANARY = "canary_in_code"
#: Ways out of strings and comments, alone and together.
NASTY = (
    "*/", "/*", "//", '"', "'", '\\"', "\\\\", "\\", "\\\n", "??/", "??/\n", "??'", "\n", "\r", "\t", "\v", "\f", "\0", "%s", "%n", "{}",
    "{0}", "#", "\n#define ", '"\n#include "', ";", "}", "é", "\u2028", "\u202e", "\ufeff", "\udcff", "\U0001f980",
    CANARY, f" int {CANARY};", "a", "0", " ",
)  # fmt: skip
TEXTS = st.one_of(st.lists(st.sampled_from(NASTY), max_size=8).map("".join), st.text(max_size=12))
WORDS = st.text(st.sampled_from("abcxyzABC019_@/."), min_size=1, max_size=8)
#: What C skips (comments), and what is one token whatever is in it (strings, characters).
OPAQUE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"' + r"|'(?:[^'\\\n]|\\.)*'", re.DOTALL)

ROUTER = """\
# 7 {file}
SpinlockInfo({lock}); AddressInfo({name} 10.0.0.1);
in :: FromDevice(eth0) -> print :: Print({label}) -> Strip(14) -> MarkIPHeader -> ip :: IPPrint({label})
  -> take :: SpinlockAcquire({lock}) -> give :: SpinlockRelease({lock})
  -> arp :: ARPPrint({label}) -> store :: StoreData(0, {label}) -> back :: Unstrip(14) -> Queue -> ToDevice(eth1);
FromIPSummaryDump({label}, ACTIVE false) -> ToIPSummaryDump({label}, FIELDS ip_src ip_dst);
ICMPPingSource(1.2.3.4, 5.6.7.8, DATA {label}, ACTIVE false) -> Discard;
"""


def emitted(file: str, label: str, lock: str = "lock", name: str = "name") -> tuple[str, str]:
    """The two C texts of a router with these words in it."""
    text = ROUTER.format(file=quote(file), label=quote(label), lock=quote(lock), name=name)
    checked = check_text(text, Library.standard())
    return emit(plan(checked, Options()), 0), emit_native(checked).text


def skeleton(text: str) -> str:
    """The text without what its comments, strings and characters say, after what C does to it first."""
    return OPAQUE.sub(lambda found: found[0][:1] + "...", re.sub(r"\\[ \t]*\n", "", text))


def without_data(text: str) -> str:
    """Without StoreData's and ICMPPingSource's bytes and masks, which are numbers in C, and their lengths."""
    text = re.sub(r"\{ \d+(?:, \d+)* \}", "{...}", text)
    text = re.sub(r"\t\*\(__u\d+ \*\)\(to \+ \d+\) = 0x[0-9a-f]+;\n", "", text)
    return re.sub(r"__u8 (?:data|mask)\[\d+\]|\.(?:length|size) = \d+U?", "", text)


@settings(max_examples=60)
@given(TEXTS, TEXTS.filter(bool), WORDS)
@example(f'x */ int {CANARY}; /* "', f'"; int {CANARY}; "', "b")
@example(f"x *\\\n/ int {CANARY};", f"\\\n\" int {CANARY};", "b")
@example(f"??/\n */ int {CANARY};", f'??/" int {CANARY};', "b")
@pytest.mark.whole
def test_the_code_is_the_same_whatever_the_words_are(file, label, name):
    harmless, hostile = emitted("file", "label"), emitted(file, label, name="/".join(filter(None, name.split("/"))) or "b")
    for expected, found in zip(harmless, hostile):
        assert set(found) <= set(map(chr, range(32, 127))) | set("\n\t")
        assert without_data(skeleton(found)) == without_data(skeleton(expected))


@pytest.mark.parametrize("words", [("x */ int canary_in_code = ; /*", 'a" canary_in_code "'), ("é\u2028\udcff\0\\", "é\u2028\udcff\\\0%s")])
def test_clang_reads_it(words, tmp_path):
    kernel, native = emitted(*words)
    (tmp_path / "drops.h").write_text(drops_header())
    includes = [f"-I{path}" for path in (tmp_path, *HEADERS)]
    compiler = find_clang()[0]
    kernel_includes = [f"-I{folder(name)}" for name in ("elements", "bpf")] + ["-I/usr/include/x86_64-linux-gnu"]
    for text, flags in ((kernel, [*BPF_FLAGS, *kernel_includes]), (native, [*FLAGS, *includes])):
        done = subprocess.run([compiler, *flags, "-fsyntax-only", "-x", "c", "-"], input=text, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("end", ["*/", "*\\\n/", "*??/\n/"])
def test_a_line_directive_runs_no_program(end, tmp_path):
    """The name of a file in the configuration, in a comment of the C text that is compiled and loaded."""
    made = tmp_path / "made"
    code = f'extern int system(const char *); __attribute__((constructor)) static void run(void) {{ system("touch {made}"); }}'
    checked = check_text(f"# 1 {quote(f'x {end} {code} /*')}\nIdle -> Discard;\n", Library.standard())
    with Runtime(Compilation(checked)):
        pass
    assert not made.exists()


@pytest.mark.whole
def test_a_folder_is_no_option_and_has_any_name(tmp_path, monkeypatch):
    """The cache's folder, as the environment says it: it reaches command lines of the compiler and the linker."""
    library = build_library()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLICKBPF_CACHE", '-o, "$(touch made)')
    made = build_router(emit_native(check_text("Idle -> Discard;", Library.standard())).text, library=library)
    assert made.is_absolute() and made.exists()
    assert [path.name for path in tmp_path.iterdir()] == ['-o, "$(touch made)']
