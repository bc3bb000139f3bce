"""Print: the lines that Click prints."""

import pytest

FRAME = bytes(range(60))
#: What Click prints of FRAME by default: length in four columns, 24 bytes, four in a group.
DEFAULT = "  60 | 00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617"


@pytest.fixture
def printed(printed):
    return lambda arguments, packet=FRAME, **options: printed(f"Print({arguments})", packet, **options)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("", DEFAULT),
        ("ok", "ok: " + DEFAULT),
        ('"two words"', "two words: " + DEFAULT),
        ("MAXLENGTH 5", "  60 | 00010203 04"),
        ("x, 0", "x:   60"),
        ("x, LENGTH 1", "x:   60 | 00"),
        ("CONTENTS NONE", "  60"),
        ("CONTENTS false", "  60"),
        ("CONTENTS hex", DEFAULT),
        ("CPU true", DEFAULT),
        ('"%d?%s"', "%d?%s: " + DEFAULT),
    ],
)
def test_label_length_and_contents(printed, arguments, line):
    assert printed(arguments) == [line]


def test_ascii(printed):
    packet = b"GET / HTTP/1.0\r\nHost: \x7f\xff"
    assert printed("CONTENTS ASCII, MAXLENGTH -1", packet) == ["  24 |  GET / HT TP/1.0.. Host: .."]


def test_all_of_a_packet(printed):
    packet = bytes(1400)
    assert printed("MAXLENGTH -1", packet) == ["1400 | " + " ".join(["00000000"] * 350)]


def test_annotations(printed):
    line = printed("a, PRINTANNO true, CONTENTS NONE", before="Paint(171) -> Paint(1, 47)")
    assert line == ["a:   60 | " + "00" * 16 + "ab" + "00" * 30 + "01"]


def test_room_around_the_packet(printed):
    (line,) = printed("HEADROOM true, CONTENTS NONE")
    assert line.startswith("  60 (h") and line.endswith(")") and " t" in line


def test_timestamp(printed):
    (line,) = printed("TIMESTAMP true, CONTENTS NONE")
    seconds, _, rest = line.partition(".")
    digits, _, length = rest.partition(": ")
    assert int(seconds) > 1_600_000_000 and len(digits) in (6, 9) and length == "  60"


def test_active(element, capfd):
    x = element("Print(x, ACTIVE false)")
    x.send(FRAME)
    assert (x.read("active"), capfd.readouterr().err) == ("false", "")
    x.write("active", "true")
    x.send(FRAME)
    assert (x.read("active"), capfd.readouterr().err) == ("true", f"x: {DEFAULT}\n")


MISTAKES = {"Print(CONTENTS foo)": "bad contents value 'foo'; should be 'NONE', 'HEX', or 'ASCII'"}
