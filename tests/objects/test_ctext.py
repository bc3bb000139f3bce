"""Any text, as C: what comes out is one token, or one comment, and says what went in."""

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clickbpf.build.host import find_compiler
from clickbpf.errors import ClickError
from clickbpf.objects.cnames import c_names, device_names
from clickbpf.objects.ctext import c_comment, c_include, c_string

NASTY = (
    '"', '\\"', "\\", "*/", "/*", "*\\\n/", "??/", '??/"', "??/\n", "\n", "\r", "\0", "%s%n",
    "é", "\u202e", "\udcff", "a\\\nb", "//", "1\0002",
)  # fmt: skip
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(NASTY)).map("".join))


@given(TEXTS)
@example("*/ int injected; /*")
@example("*\\\n/")
def test_a_comment_is_one_line_that_ends_at_its_end(text):
    comment = c_comment(text)
    assert re.fullmatch(r"/\* [ -~]* \*/", comment)
    assert "*/" not in comment[2:-2] and "/*" not in comment[2:]


@given(TEXTS)
def test_a_string_is_one_literal(text):
    assert re.fullmatch(r'"(?:[^"\\?\x00-\x1f\x7f-\U0010ffff]|\\[0-7]{3})*"', c_string(text))


def test_strings_say_in_c_what_they_say_here(tmp_path):
    program = tmp_path / "say"
    lines = "".join(f"\tfwrite({c_string(text)}, sizeof({c_string(text)}) - 1, 1, stdout);\n" for text in NASTY)
    text = f"#include <stdio.h>\nint main(void)\n{{\n{lines}\treturn 0;\n}}\n"
    find_compiler().run("-trigraphs", "-x", "c", "-", "-o", str(program), input=text)
    said = subprocess.run([program], capture_output=True, check=True).stdout
    assert said == "".join(NASTY).encode("utf-8", "surrogateescape")


@given(st.lists(TEXTS | st.text("ab_/@1", min_size=1, max_size=4), unique=True))
def test_names_are_identifiers_and_none_begins_another(names):
    made = c_names(names).values()
    assert all(re.fullmatch(r"e[0-9]*_[A-Za-z0-9_]*", name) for name in made)
    assert len(set(made)) == len(names)
    assert [(one, other) for one in made for other in made if other.startswith(f"{one}_")] == []


@given(st.lists(st.text("a0._-", min_size=1), unique=True))
@example(["eth0_1__2", "eth0.1", "eth0_1"])
def test_devices_have_different_names(devices):
    names = device_names(devices)
    assert list(names) == devices and len(set(names.values())) == len(devices)
    assert all(re.fullmatch(r"\w+", name) for name in names.values())


def test_names_say_whose_they_are():
    assert c_names(["x", "a/b", "Class@3", "x_push", "x_push_x"]) == {
        "x": "e_x",
        "a/b": "e_a__b",
        "Class@3": "e_Class_3",
        "x_push": "e2_x_push",
        "x_push_x": "e3_x_push_x",
    }


@pytest.mark.parametrize("name", ['a"b.c', "a\nb.c", "a\\b.c", "a??/b.c"])
def test_a_file_that_c_can_not_name_is_refused(name):
    with pytest.raises(ClickError, match="can't be written in C"):
        c_include(Path("/tmp") / name)


def test_a_file_is_included_by_its_whole_path():
    assert c_include(Path("-x.c")) == f'#include "{Path.cwd()}/-x.c"\n'
