"""Routes as text: what Click's tables read, and what they show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.elements.ip.runs import assert_read_as_each_is, written

from clickbpf.args import ArgError
from clickbpf.vocabulary.library import Library

assert Library.standard().known("StaticIPLookup")
from clickbpf_elements.ip._route import Route  # noqa: E402 - the library has made the package
from clickbpf_elements.ip._routetext import RouteText, RouteWords  # noqa: E402

EIGHT = 0xFF000000


@pytest.mark.parametrize(
    "text, route",
    [
        ("18.26.4/24 1", Route(0x121A0400, 0xFFFFFF00, 0, 1)),
        ("0/0 18.26.4.1 1", Route(0, 0, 0x121A0401, 1)),
        ("18.26.4.9 0", Route(0x121A0409, 0xFFFFFFFF, 0, 0)),
        ("10.1.2.3/8 - 2", Route(0x0A000000, EIGHT, 0, 2)),
        ("10.0.0.0/255.0.0.0 0.0.0.0 3", Route(0x0A000000, EIGHT, 0, 3)),
        ("  010.0.0.0/8\t9.9.9.9   0x10 ", Route(0x0A000000, EIGHT, 0x09090909, 16)),
        ("10.0.0.0/255.0.255.0 -1", Route(0x0A000000, 0xFF00FF00, 0, -1)),
    ],
)
def test_forms(text, route):
    assert RouteText().parse(text) == route


@pytest.mark.parametrize(
    "text", ["", "10.0.0.0/8", "10/8 1 2", "10.0.0.0/33 1", "256.0.0.0/8 1", "10.0.0.0/8 1.2.3 1", "10/8 - - 1", "x 1"]
)
def test_no_routes(text):
    with pytest.raises(ArgError):
        RouteText().parse(text)


def test_a_removal_may_leave_out_the_output():
    removal = RouteText(removal=True)
    assert removal.parse("10/8") == removal.parse("10/8 -") == Route(0x0A000000, EIGHT, 0, -1)
    assert removal.parse("10/8").matches(Route(0x0A000000, EIGHT, 7, 3))
    assert not removal.parse("10/8 0.0.0.7 2").matches(Route(0x0A000000, EIGHT, 7, 3))


@given(st.integers(0, 2**32 - 1), st.integers(0, 32), st.none() | st.integers(0, 2**32 - 1), st.integers(0, 99))
def test_the_short_way_to_read_a_route_is_a_way_to_read_it(address, length, gateway, port):
    def dotted(number):
        return ".".join(map(str, number.to_bytes(4, "big")))

    text = " ".join([f"{dotted(address)}/{length}", *([] if gateway is None else [dotted(gateway)]), str(port)])
    assert RouteText().parse(text) == RouteWords().parse(text)


PLAIN = ["10.0.0.0/8 1", "1.2.3.4/32 9.9.9.9 2", "0.0.0.0/0 - 0"]
OTHERS = ["10/8 1", "256.0.0.0/8 1", "010.0.0.0/8 1", "1.2.3.4 5", "1.2.3.4/5", "x"]


@given(written("9.9.9.9", PLAIN + OTHERS))
def test_many_are_read_as_each_is(config):
    assert_read_as_each_is(config, RouteText(), RouteWords().parse, PLAIN)


def test_text():
    assert str(Route(0x0A000000, EIGHT, 0, 1)) == "10.0.0.0/8 - 1"
    assert str(Route(0x0A000000, 0xFF00FF00, 0x01020304, 0)) == "10.0.0.0/255.0.255.0 1.2.3.4 0"
