"""SetIP6Address: the annotation, and its handler."""

from ipaddress import IPv6Address

from clickbpf.testing.cases import Case


def test_the_annotation_is_set_and_can_change(element):
    x = element("SetIP6Address(2001:db8::9)")
    for address in ("2001:db8::9", "fe80::1:2:3:4", "::"):
        x.write("addr", address)
        assert x.read("addr") == address
        x.send(bytes(60))
        assert x.expect(0, bytes(60)).carried.annotations[:16] == IPv6Address(address).packed
    x.refuses("addr", "1.2.3.4", "is not an IPv6 address")
    assert x.read("addr") == "::"


def test_names(element):
    x = element("SetIP6Address(gate:ip6)", declarations="AddressInfo(gate 2001:db8::7/64);")
    assert x.read("addr") == "2001:db8::7"


CASES = [Case("SetIP6Address(fe80::1)", packets=300)]
