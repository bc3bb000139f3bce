"""Numbers: what Click's IntArg, BoundedIntArg, BoolArg, FixedPointArg and AnnoArg make of texts.

Expected values are those of Click's documentation (include/click/args.hh) and of its own ConfParseTest element.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clickbpf.args import Anno, ArgError, Bool, Context, Decimal, Integer, IPAddress, IPPort, IPProtocol, Names, Rate, Real
from clickbpf.args.types import ICMPCode, ICMPType, written_integer
from clickbpf.args.values import Anno as AnnoValue


@pytest.mark.parametrize(
    "text, value",
    [
        ("0", 0),
        ("10", 10),
        ("+5", 5),
        ("0x10", 16),
        ("0XfF", 255),
        ("010", 8),
        ("0b101", 5),
        ("1_000_000", 1_000_000),
        ("0xFFFF_FFFE", 4294967294),
        ("4294967295", 4294967295),
    ],
)
def test_unsigned(text, value):
    assert Integer().parse(text) == value


@pytest.mark.parametrize("text", ["", "-0", "-1", "aoeu", "0x", "08", "0b2", "1__0", "_1", "1_", "1 ", "1.0", '"3"', "１"])
def test_not_an_integer(text):
    with pytest.raises(ArgError, match="is not an integer from 0 to 4294967295"):
        Integer().parse(text)


@pytest.mark.parametrize(
    "type_, text, bound",
    [
        (Integer(), "4294967296", 4294967295),
        (Integer(), "0xFFFFFFFFF", 4294967295),
        (Integer(signed=True), "2147483648", 2147483647),
        (Integer(signed=True), "-2147483649", -2147483648),
        (Integer(8, signed=True), "128", 127),
        (Integer(64), "18446744073709551616", 18446744073709551615),
        (Integer(signed=True, low=0, high=9), "10", 9),
        (Integer(signed=True, low=-1, high=9), "-10", -1),
        (Integer(signed=True, low=0, high=100), "-1", 0),
        (Rate(high=1000), "1001", 1000),
    ],
)
def test_out_of_range(type_, text, bound):
    with pytest.raises(ArgError, match=f"^out of range, bound {bound}$"):
        type_.parse(text)


def test_signed_limits():
    assert Integer(signed=True).parse("-2147483648") == -(2**31)
    assert Integer(64, signed=True).parse("-9223372036854775808") == -(2**63)


def test_fixed_bases():
    assert Integer(base=10).parse("010") == 10
    assert Integer(base=16).parse("ff") == 255
    assert Integer(base=16).parse("0xff") == 255
    with pytest.raises(ArgError):
        Integer(base=10).parse("0x10")


@pytest.mark.parametrize("prefix, digit", [("", "9"), ("0x", "f"), ("0b", "1"), ("0", "7")])
def test_a_number_of_any_length_is_a_mistake_as_others(prefix, digit):
    """Python refuses to read 4,301 decimal digits, with an exception of its own."""
    assert written_integer(prefix + digit * 5000) > 1 << 128
    assert written_integer("0" * 5000 + "1") == 1
    for type_ in (Integer(64), Real(16), IPAddress(), IPPort(6)):
        with pytest.raises(ArgError):
            type_.parse(prefix + digit * 5000)


@pytest.mark.parametrize("text", ["80/tcp", "0x!", "08", "/80", ""])
def test_what_begins_with_a_number_is_none(text):
    assert written_integer(text) is None


@given(st.integers(-(2**63), 2**63 - 1), st.sampled_from(["d", "#x", "#X", "#b", "_d", "#_x"]))
def test_integers_in_any_base(value, form):
    sign, magnitude = "-" if value < 0 else "", format(abs(value), form)
    assert Integer(64, signed=True).parse(sign + magnitude) == value


@given(st.integers(0, 2**32 - 1))
def test_octal(value):
    assert Integer().parse(f"0{value:o}") == value


@pytest.mark.parametrize("text", ["true", "t", "yes", "y", "1"])
def test_true(text):
    assert Bool().parse(text) is True


@pytest.mark.parametrize("text", ["false", "f", "no", "n", "0"])
def test_false(text):
    assert Bool().parse(text) is False


@pytest.mark.parametrize("text", ["True", "on", "2", "", "tr"])
def test_not_a_bool(text):
    with pytest.raises(ArgError, match="is not true or false"):
        Bool().parse(text)


@pytest.mark.parametrize(
    "text, bits, shown",
    [
        ("0.418", 8, "0.418"),
        ("0.417", 8, "0.418"),
        ("0.416", 8, "0.414"),
        ("0.42", 8, "0.42"),
        ("0.3", 16, "0.3"),
        ("0.49999", 16, "0.49998"),
        ("0.499999", 16, "0.5"),
        ("0.999999", 16, "1"),
    ],
)
def test_real_shown_as_click_shows_it(text, bits, shown):
    assert Real(bits).unparse(Real(bits).parse(text)) == shown


@pytest.mark.parametrize(
    "text, bits, value",
    [
        ("0.5", 1, 1),
        ("1", 16, 65536),
        (".25", 2, 1),
        ("2.", 2, 8),
        ("25e-1", 1, 5),
        ("0.00025E+3", 2, 1),
        ("0.125", 2, 1),
        ("65535.5", 16, 65535 * 65536 + 32768),
    ],
)
def test_real(text, bits, value):
    assert Real(bits).parse(text) == value


def test_negative_real():
    assert Real(1, signed=True).parse("-0.5") == -1
    assert Real(16, signed=True).parse("-32768") == -(2**31)
    with pytest.raises(ArgError):
        Real(1).parse("-0.5")


def test_real_out_of_range():
    with pytest.raises(ArgError, match="out of range, bound 65535.99998"):
        Real(16).parse("65536")
    with pytest.raises(ArgError, match="out of range"):
        Real(16).parse("1e999999999")
    assert Real(16).parse("1e-999999999") == 0


@pytest.mark.parametrize("text", ["", ".", "1e", "1.2.3", "e3", "1. 5", "inf", "0x1"])
def test_not_a_real(text):
    with pytest.raises(ArgError, match="is not a real number"):
        Real(16).parse(text)


@given(st.integers(0, 2**32 - 1), st.integers(1, 32))
def test_real_round_trip(value, bits):
    assert Real(bits).parse(Real(bits).unparse(value)) == value


def test_decimal():
    assert Decimal(3).parse("1.2345") == 1235
    assert Decimal(3).parse("1.2344") == 1234
    assert Decimal(3, signed=True).parse("-1.5") == -1500
    assert Decimal(3).unparse(1500) == "1.5"
    with pytest.raises(ArgError, match="out of range"):
        Decimal(9).parse("5")


@given(st.integers(-(2**31), 2**31 - 1), st.integers(0, 9))
def test_decimal_round_trip(value, digits):
    type_ = Decimal(digits, signed=True)
    assert type_.parse(type_.unparse(value)) == value


def test_ports_and_protocols_have_names():
    assert IPPort(17).parse("domain") == 53
    assert IPPort(6).parse("www") == 80
    assert IPPort(6).parse("0x1F90") == 8080
    assert IPProtocol().parse("udp") == 17
    assert IPProtocol().parse("50") == 50
    assert ICMPType().parse("timeexceeded") == 11
    assert ICMPCode(3).parse("needfrag") == 4


def test_ports_of_the_router():
    names = Names()
    names.define("port/17", "info", "mine", 4000)
    context = Context("x", names=names)
    assert IPPort(17).parse("mine", context) == 4000
    with pytest.raises(ArgError, match="'mine' is not a port") as error:
        IPPort(6).parse("mine", context)
    with pytest.raises(ArgError) as error:
        IPPort(17).parse("mines", context)
    assert error.value.hint == "did you mean 'mine'?"


def test_port_out_of_range():
    with pytest.raises(ArgError, match="out of range, bound 65535"):
        IPPort().parse("65536")
    with pytest.raises(ArgError, match="is not a port"):
        IPPort().parse("-1")
    with pytest.raises(ArgError, match="out of range, bound 255"):
        IPProtocol().parse("tcpudp")


def test_anno():
    assert Anno(1).parse("PAINT") == 16
    assert Anno(1).parse("47") == 47
    assert Anno(4).parse("DST_IP") == 0
    assert Anno(2).parse("VLAN") == 20
    assert Anno(0).parse("AGGREGATE") == AnnoValue(20, 4)
    assert Anno(6).parse("1") == 1


@pytest.mark.parametrize(
    "size, text, message",
    [
        (1, "DST_IP", "annotation DST_IP has 4 bytes, not 1"),
        (4, "45", "outside of the 48"),
        (1, "48", "outside of the 48"),
        (1, "-1", "outside of the 48"),
        (4, "2", "can't be at 2"),
        (1, "PAINTED", "is not an annotation of 1 byte"),
    ],
)
def test_bad_anno(size, text, message):
    with pytest.raises(ArgError, match=message):
        Anno(size).parse(text)
