"""AddressInfo: what names stand for, and where."""

from ipaddress import IPv4Address, IPv6Address, IPv6Interface

import pytest

from clickbpf.args import ArgError, EtherAddress, IP6Address, IPAddress, IPPrefixNonContiguous
from clickbpf.args.context import Context
from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library

MAC = "00-50-BA-85-84-A9"


def context(configuration: str, element: str = "here") -> Context:
    """The context of an element; the configuration gets one called `here` at its top."""
    checked = check_text(configuration + " here :: Idle;", Library.standard())
    return checked.instances[element].context


def address(name: str, configuration: str, element: str = "here") -> str:
    return str(IPAddress().parse(name, context(configuration, element)))


def test_addresses_prefixes_and_ethernet_addresses():
    where = context(f"AddressInfo(mauer 10.0.0.1/24 {MAC}, mazu 10.0.0.10);")
    assert IPAddress().parse("mauer", where) == IPv4Address("10.0.0.1")
    assert str(EtherAddress().parse("mauer", where)) == MAC
    assert str(EtherAddress().parse("mauer:eth", where)) == MAC
    assert str(IPPrefixNonContiguous().parse("mauer:ipnet", where)) == "10.0.0.1/24"
    assert IPAddress().parse("mazu:ip", where) == IPv4Address("10.0.0.10")


def test_an_address_goes_before_a_prefix():
    """As ARPResponder(boojum ...) in Click's documentation."""
    where = context("AddressInfo(boojum 10.0.0.1/24);")
    assert str(IPPrefixNonContiguous().parse("boojum", where)) == "10.0.0.1/32"


@pytest.mark.parametrize(("name", "found"), [("foo:bcast", "1.2.15.255"), ("foo:gw", "1.2.0.1"), ("foo", "1.2.3.4")])
def test_broadcast_and_gateway(name, found):
    """The first is Click's own test."""
    assert address(name, "AddressInfo(foo 1.2.3.4/20);") == found


def test_link_local_addresses_follow_from_ethernet_addresses():
    """The example of RFC 4291, appendix A: the universal/local bit is inverted, and fffe put in the middle."""
    where = context("AddressInfo(if0 34:56:78:9a:bc:de 10.0.0.1, none 10.0.0.2);")
    assert IP6Address().parse("if0:ip6link", where) == IPv6Address("fe80::3656:78ff:fe9a:bcde")
    with pytest.raises(ArgError):
        IP6Address().parse("none:ip6link", where)


def test_names_are_known_within():
    configuration = """
        AddressInfo(mauer 10.0.0.1);
        compound :: { AddressInfo(mazu 10.0.0.10, mauer 10.9.9.9); inner :: { x :: Idle }; y :: Idle };
    """
    for element in ("compound/y", "compound/inner/x"):
        assert address("mazu", configuration, element) == "10.0.0.10"
        assert address("mauer", configuration, element) == "10.9.9.9"
    assert address("mauer", configuration) == "10.0.0.1"


def test_they_may_be_used_before_they_are_defined():
    assert address("late", "Idle -> SetIPAddress(late) -> Discard; AddressInfo(late 1.2.3.4);") == "1.2.3.4"


def test_a_name_may_stand_for_another():
    """A name of several addresses adds those of kinds that are not there yet."""
    where = context(f"AddressInfo(a 1.1.1.1 {MAC}, b a, c 2.2.2.2 a);")
    assert IPAddress().parse("b", where) == IPv4Address("1.1.1.1")
    assert IPAddress().parse("c", where) == IPv4Address("2.2.2.2")
    assert str(EtherAddress().parse("c", where)) == MAC


def test_ipv6():
    names = context("AddressInfo(six 2001:db8::1/64, seven 2001:db8::7);").names
    assert names.query("ip6", "here", "six") == IPv6Address("2001:db8::1")
    assert names.query("ip6 prefix", "here", "six") == IPv6Interface("2001:db8::1/64")
    assert names.query("ip6", "here", "seven") == IPv6Address("2001:db8::7")


def test_empty_arguments_are_allowed():
    assert address("x", "AddressInfo(, x 1.1.1.1,);") == "1.1.1.1"


MISTAKES = {
    "AddressInfo(net 10.0.0.0/24); Idle -> SetIPAddress(net) -> Discard;": "'net' is not an IP address",
    "compound :: { AddressInfo(mazu 10.0.0.10); Idle }; Idle -> SetIPAddress(mazu) -> Discard;": "'mazu' is not an IP address",
    "AddressInfo(a 1.2.3.4 nonsense, b);": [
        "AddressInfo: 'nonsense' is not a recognizable address",
        "AddressInfo: expected 'NAME [ADDRS]'",
    ],
}
