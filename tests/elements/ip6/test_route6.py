"""Routes of IPv6 as text: those in the plain form are read many at once, and are what each is by itself."""

from hypothesis import given
from hypothesis import strategies as st
from tests.elements.ip.runs import assert_read_as_each_is, written

from clickbpf.vocabulary.library import Library

assert Library.standard().known("LookupIP6Route")
from clickbpf_elements.ip._routetext import RouteWords  # noqa: E402 - the library has made the package
from clickbpf_elements.ip6._route import Route6  # noqa: E402
from clickbpf_elements.ip6._routetext import Route6Text  # noqa: E402

ADDRESSES = st.ip_addresses(v=6) | st.sampled_from(["::", "::1", "2001:db8::", "fe80::1", "::ffff:1.2.3.4"])


def one(text: str) -> Route6:
    return Route6(*RouteWords.parse(Route6Text(), text))


@given(ADDRESSES, st.integers(0, 128), st.none() | ADDRESSES, st.integers(0, 99), st.sampled_from([str, str.upper]))
def test_the_short_way_to_read_a_route_is_a_way_to_read_it(address, length, gateway, port, case):
    words = [case(f"{address}") + f"/{length}", *([] if gateway is None else [case(f"{gateway}")]), str(port)]
    text = " ".join(words)
    (route,), end = Route6Text().run(text + ",", 0) if "." not in text else ((one(text),), len(text) + 1)
    assert (route, end) == (one(text), len(text) + 1)
    assert isinstance(route, Route6)


PLAIN = ["2001:db8::/32 1", "2001:DB8:1:2:3:4:5:6/128 fe80::9 2", "::/0 - 0", "::/0 :: 3", "1::2/1 7"]
OTHERS = [
    "1::2::3/8 1", "12345::/8 1", "2001:db8::/129 1", "::ffff:1.2.3.4/128 1", "2001:db8::1 5", "fe80::1%eth0/64 1", ":/8 1", "1:2:3/9 1",
    "2001:db8::/32 1::2::3 1", "2001:db8::/32 7 1", "2001:db8::/032 1", "x",
]  # fmt: skip


@given(written("9::", PLAIN + OTHERS))
def test_many_are_read_as_each_is(config):
    assert_read_as_each_is(config, Route6Text(), one, PLAIN)


def test_text():
    route = one("2001:db8::1/32 fe80::1 4")
    assert (str(route), route.prefix, route.gateway) == ("2001:db8::/32 fe80::1 4", "2001:db8::/32", 0xFE80 << 112 | 1)
