"""The C of a decision graph does what the graph does: compiled for this machine, and run."""

import ctypes
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.classify.meaning import evaluate

from clickbpf.classify import Program, specialise
from clickbpf.classify import expression as e
from clickbpf.classify.emit import FEW

PUNT = -2
PRELUDE = f"""
#define USERSPACE 1
#define PUNT ({PUNT})
""" + """
#include <stddef.h>
typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
#define __always_inline inline
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define htons(x) __builtin_bswap16(x)
#define htonl(x) __builtin_bswap32(x)
#define word16(at) (*(const __u16 *)(at))
#define word32(at) (*(const __u32 *)(at))
struct pkt { const __u8 *bytes; __u32 length; };
static const void *pkt_data(struct pkt *p, __u32 offset, __u32 length)
{
	return offset + length <= p->length ? p->bytes + offset : NULL;
}
"""

TESTS = st.builds(
    lambda offset, mask, value: e.Test("data", offset, mask, value & mask),
    st.sampled_from((0, 4)),
    st.sampled_from((0xFF000000, 0xFFFF0000, 0xFFFFFF00, 0xFFFFFFFF, 0x00FFFF00, 0x00FFFFFF, 0xFF00FF00, 0x0F00, 0xFF, 0x01FF)),
    st.sampled_from((0, 0x01010101, 0x01020304, 0x04030201)),
)
RULES = st.lists(st.one_of(TESTS, st.lists(TESTS, max_size=3).map(lambda parts: e.All(*parts)), TESTS.map(e.Not)), min_size=1, max_size=8)
PACKETS = st.lists(st.sampled_from((0, 1, 2, 3, 4)), max_size=9).map(bytes)


def c_text(program: Program, name: str = "match") -> str:
    return program.c_function(name, {"data": "pkt_data(p, 0, {length})"}, lambda output: str(-1 if output is None else output))


@pytest.fixture(scope="module")
def compile_c(tmp_path_factory):
    """Compile functions of packets; gives a callable (number, packet) -> result."""
    made = iter(range(1000))

    def compile_them(texts: list[str]):
        path = tmp_path_factory.mktemp("c") / f"match{next(made)}"
        table = ", ".join(f"match_{i}" for i in range(len(texts)))
        source = PRELUDE + "".join(texts) + (
            f"static int (*const functions[])(struct pkt *) = {{{table}}};\n"
            "int run(__u32 number, const __u8 *bytes, __u32 length)\n"
            "{\n\tstruct pkt p = {bytes, length};\n\n\treturn functions[number](&p);\n}\n"
        )  # fmt: skip
        path.with_suffix(".c").write_text(source)
        flags = ["-O1", "-Wall", "-Wno-unused-function", "-Werror"]
        subprocess.run(["clang-19", *flags, "-shared", "-fPIC", "-o", path, path.with_suffix(".c")], check=True)
        run = ctypes.CDLL(str(path)).run
        return lambda number, packet: run(number, packet, len(packet))

    return compile_them


@pytest.mark.needs("clang-19")
@settings(max_examples=5)
@given(st.lists(RULES, min_size=60, max_size=60), st.lists(PACKETS, min_size=60, max_size=60))
def test_c_decides_as_the_rules(compile_c, many_rules, packets):
    programs = [Program([(rule, number) for number, rule in enumerate(rules)]) for rules in many_rules]
    run = compile_c([c_text(program, f"match_{i}") for i, program in enumerate(programs)])
    for number, rules in enumerate(many_rules):
        for packet in packets:
            wanted = next((n for n, rule in enumerate(rules) if evaluate(rule, {"data": packet})), -1)
            assert run(number, packet) == wanted


@pytest.mark.needs("clang-19")
@pytest.mark.parametrize("userspace", [True, False])
def test_the_kernel_gives_up_odd_packets_of_a_large_program(compile_c, monkeypatch, userspace):
    monkeypatch.setattr(specialise, "GROWTH", 0)
    monkeypatch.setattr(specialise, "SPARE", 1)
    rules = [e.All(e.Test("data", 0, 0xFF000000, n << 24), e.Test("data", 4, 0xFF00, n << 8)) for n in range(4)]
    run = compile_c([f"#undef USERSPACE\n#define USERSPACE {int(userspace)}\n{c_text(program(*rules), 'match_0')}"])
    for length in range(9):
        for n in range(5):
            packet = bytes([n]) * length
            wanted = n if n < 4 and length >= 7 else -1
            assert run(0, packet) == (wanted if userspace or length >= 7 else PUNT)


def program(*rules: e.Expression) -> Program:
    return Program([(rule, number) for number, rule in enumerate(rules)])


def test_values_of_one_word_become_a_switch():
    ports = [e.Test("data", 0, 0xFFFF0000, port << 16) for port in range(FEW + 1)]
    text = c_text(program(e.Some(*ports[1:3]), *ports[3:], ports[0]))
    assert "switch (word16(data)) {\n\tcase htons(0x0001):\n\tcase htons(0x0002):\n\t\treturn 0;\n" in text


def test_of_few_values_the_first_that_needs_no_other_test_comes_first():
    ports = [e.Test("data", 0, 0xFFFF0000, port << 16) for port in (22, 80, 443)]
    text = c_text(program(e.All(ports[0], e.Test("data", 4, 0xFF00, 0x100)), ports[1], ports[2]))
    assert "\tif (likely(word16(data) == htons(0x0050)))\n\t\treturn 1;\n\tswitch (word16(data)) {\n" in text


def test_one_load_and_one_check_for_each_word_of_a_long_packet():
    text = c_text(program(e.Test("data", 12, 0xFFFF0000, 0x08000000), e.TRUE))
    assert text == (
        "static __always_inline int match(struct pkt *p)\n"
        "{\n"
        "\tconst __u8 *data;\n"
        "\n"
        "\tdata = pkt_data(p, 0, 14);\n"
        "\tif (!data)\n"
        "\t\treturn 1;\n"
        "\tif (word16(data + 12) == htons(0x0800))\n"
        "\t\treturn 0;\n"
        "\treturn 1;\n"
        "}\n"
    )


def test_bytes_behind_the_mask_are_not_read():
    """Three bytes at the packet's end are no word of four."""
    text = c_text(program(e.Test("data", 4, 0xFFFFFF00, 0x01020300)))
    assert "pkt_data(p, 0, 7)" in text
    assert "word32" not in text


def test_what_needs_no_packet():
    assert "pkt_data" not in c_text(program(e.TRUE))
    assert "return -1;" in c_text(program(e.FALSE))
