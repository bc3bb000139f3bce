"""Routes of IPv6 as text: those in the plain form are read many at once, and are what each is by itself."""

from hypothesis import given
from hypothesis import strategies as st

from clickbpf.lang.config import split_args
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


#: What may stand between routes, or be one; those in the plain form first.
PLAIN = ["2001:db8::/32 1", "2001:DB8:1:2:3:4:5:6/128 fe80::9 2", "::/0 - 0", "::/0 :: 3", "1::2/1 7"]
OTHERS = [
    "1::2::3/8 1", "12345::/8 1", "2001:db8::/129 1", "::ffff:1.2.3.4/128 1", "2001:db8::1 5", "fe80::1%eth0/64 1", ":/8 1", "1:2:3/9 1",
    "2001:db8::/32 1::2::3 1", "2001:db8::/32 7 1", "2001:db8::/032 1", "x",
]  # fmt: skip
BETWEEN = st.sampled_from(["", " ", "\n", "/* 9::/9 9, */", "// 9::/9 9,\n", "/**/ // */\n"])


@given(st.lists(st.tuples(BETWEEN, st.sampled_from(PLAIN + OTHERS), BETWEEN), max_size=12))
def test_many_are_read_as_each_is(arguments):
    """A run ends where the next argument is not in the plain form, and has what each of its arguments is."""
    config = "".join(f"{before}{written}{after}," for before, written, after in arguments)
    texts, end, start = [text for text, _ in split_args(config)], 0, 0
    while (run := Route6Text().run(config, start))[1] > start:
        routes, start = run
        assert list(routes) == [one(text) for text in texts[end : end + len(routes)]]
        end += len(routes)
    offsets = [offset for _, offset in split_args(config)]
    assert start <= offsets[end] if end < len(offsets) else start == len(config)
    assert end == len(texts) or texts[end] not in PLAIN


def test_text():
    route = one("2001:db8::1/32 fe80::1 4")
    assert (str(route), route.prefix, route.gateway) == ("2001:db8::/32 fe80::1 4", "2001:db8::/32", 0xFE80 << 112 | 1)
