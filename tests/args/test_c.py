"""Values as C constants: what a C program sees is what was parsed."""

import subprocess
from pathlib import Path

import pytest

from clickbpf.args import Anno, Bandwidth, Bool, Enum, EtherAddress, Integer, IPAddress, IPPort, IPPrefix, Raw, Real, Time
from clickbpf.emit.instance import declare

ELEMENT_H = Path(__file__).parents[2] / "elements" / "element.h"

#: type, text, the bytes of the C value on a little-endian machine.
CASES = [
    (Integer(8), "255", "ff"),
    (Integer(8, signed=True), "-128", "80"),
    (Integer(16), "0x1234", "3412"),
    (Integer(32), "4294967295", "ffffffff"),
    (Integer(32, signed=True), "-2147483648", "00000080"),
    (Integer(64), "18446744073709551615", "ffffffffffffffff"),
    (Integer(64, signed=True), "-9223372036854775808", "0000000000000080"),
    (Bool(), "yes", "01"),
    (Real(16), "0.5", "00800000"),
    (Real(16, signed=True), "-1", "0000ffff"),
    (IPAddress(), "1.2.3.4", "01020304"),
    (IPPrefix(), "1.2.3.4/24", "01020304ffffff00"),
    (EtherAddress(), "00:50:ba:85:84:a9", "0050ba8584a9"),
    (IPPort(17), "domain", "3500"),
    (Time(), "1us", "e803000000000000"),
    (Bandwidth(), "8kbps", "e803000000000000"),
    (Anno(1), "PAINT", "10000000"),
    (Enum("HEAD", "TAIL"), "TAIL", "01000000"),
]


@pytest.mark.needs("clang-19")
def test_c_constants(tmp_path):
    macros = [line for line in ELEMENT_H.read_text().splitlines() if line.startswith(("#define IPV4(", "#define htonl("))]
    assert len(macros) == 2
    members = [
        f"static const struct {{ {declare(t.c_type, 'v')}; }} v{i} = {{ .v = {t.c_value(t.parse(text))} }};"
        for i, (t, text, _) in enumerate(CASES)
    ]
    prints = [f"show(&v{i}, sizeof(v{i}.v));" for i in range(len(CASES))]
    source = tmp_path / "values.c"
    source.write_text(
        "#include <linux/types.h>\n#include <stdbool.h>\n#include <stdio.h>\n" + "\n".join(macros + members) + "\n"
        'static void show(const void *p, unsigned n) { while (n--) printf("%02x", *(const unsigned char *)p++); puts(""); }\n'
        "int main(void) { " + " ".join(prints) + " return 0; }\n"
    )
    subprocess.run(["clang-19", "-Wall", "-Wextra", "-Werror", "-o", tmp_path / "values", source], check=True)
    shown = subprocess.run([tmp_path / "values"], check=True, capture_output=True, text=True).stdout.split()
    assert shown == [expected for _, _, expected in CASES]


def test_texts_are_not_for_c():
    assert Raw().c_type is None
    assert Raw().c_value("x") is None
