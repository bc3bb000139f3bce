"""IPv6 addresses and prefixes: Click's IP6AddressArg and IP6PrefixArg."""

import socket
from ipaddress import IPv6Address, IPv6Interface

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clickbpf.args import ArgError, Context, IP6Address, IP6Prefix, Names
from clickbpf.args.devices import Devices


class NoDevices(Devices):
    """A machine without network devices."""

    _dump, _routes = ([], [], []), ()


ALONE = Context(names=Names(NoDevices()))


@pytest.mark.parametrize(
    "text, packed",
    [
        # RFC 4291, 2.2
        ("ABCD:EF01:2345:6789:ABCD:EF01:2345:6789", "abcdef0123456789abcdef0123456789"),
        ("2001:DB8:0:0:8:800:200C:417A", "20010db80000000000080800200c417a"),
        ("2001:DB8::8:800:200C:417A", "20010db80000000000080800200c417a"),
        ("FF01::101", "ff010000000000000000000000000101"),
        ("::1", "00000000000000000000000000000001"),
        ("::", "00000000000000000000000000000000"),
        ("0:0:0:0:0:0:13.1.68.3", "0000000000000000000000000d014403"),
        ("::13.1.68.3", "0000000000000000000000000d014403"),
        ("::FFFF:129.144.52.38", "00000000000000000000ffff81903426"),
        # as Click's conf/ip601.click has them
        ("::0", "00000000000000000000000000000000"),
        ("::c0a8:1", "000000000000000000000000c0a80001"),
        ("0::ffff:0:0", "00000000000000000000ffff00000000"),
        ("3ffe:1ce1:0002:0000:0200:c0ff:fe43:71ef", "3ffe1ce100020000 0200c0fffe4371ef"),
    ],
)
def test_forms_of_an_address(text, packed):
    assert IP6Address().parse(text, ALONE).packed == bytes.fromhex(packed)


@pytest.mark.parametrize(
    "text",
    [
        "", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "1:2:3:4:5:6:7:", ":1:2:3:4:5:6:7",
        "::1.2.3", "::1.2.3.256", "1.2.3.4", "::1.2.3.4:5", "fe80::1%eth0", "::1/64", " ::1", "1:2:3:4:5:6:7:1.2.3.4", "٢::",
    ],
)  # fmt: skip
def test_not_an_address(text):
    with pytest.raises(ArgError, match="is not an IPv6 address"):
        IP6Address().parse(text, ALONE)


@pytest.mark.parametrize(
    "text, canonical",
    [
        # RFC 5952, 4.1 to 4.3
        ("2001:0db8::0001", "2001:db8::1"),
        ("2001:db8:0:0:0:0:2:1", "2001:db8::2:1"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
        ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("2001:DB8::ABCD", "2001:db8::abcd"),
        # section 5: an IPv4 address within a known prefix is dotted
        ("::ffff:c000:201", "::ffff:192.0.2.1"),
        ("::c000:201", "::192.0.2.1"),
        ("::1", "::1"),
        ("::", "::"),
    ],
)
def test_text_of_an_address(text, canonical):
    assert IP6Address().unparse(IP6Address().parse(text)) == canonical


@given(st.binary(min_size=16, max_size=16))
def test_address_round_trip(packed):
    text = socket.inet_ntop(socket.AF_INET6, packed)
    assert IP6Address().parse(text).packed == packed
    assert IP6Address().unparse(IPv6Address(packed)) == text


@pytest.mark.parametrize(
    "text, prefix",
    [
        ("2001:0DB8:0000:CD30:0000:0000:0000:0000/60", "2001:db8:0:cd30::/60"),  # RFC 4291, 2.3
        ("2001:db8::1/64", "2001:db8::1/64"),
        ("::/0", "::/0"),
        ("::0/0", "::/0"),
        ("::1/128", "::1/128"),
        ("2001:db8::1/ffff:ffff::", "2001:db8::1/32"),
        ("::1/::", "::1/0"),
        ("::1.2.3.4/96", "::1.2.3.4/96"),
    ],
)
def test_prefix(text, prefix):
    found = IP6Prefix(bare=False).parse(text, ALONE)
    assert found == IPv6Interface(prefix)
    assert IP6Prefix().unparse(found) == prefix


@pytest.mark.parametrize("text", ["::", "::/129", "::/-1", "::/", "/64", "::/0x10", "::/64/64", "::/ffff:0:ffff::", "10.0.0.0/8"])
def test_not_a_prefix(text):
    with pytest.raises(ArgError, match="is not an IPv6 prefix"):
        IP6Prefix(bare=False).parse(text, ALONE)


def test_bare_address_is_a_host():
    assert IP6Prefix().parse("2001:db8::1") == IPv6Interface("2001:db8::1/128")


def test_in_c():
    assert IP6Address().c_value(IPv6Address("2001:db8::1")) == "{ 0x20, 0x01, 0x0d, 0xb8" + ", 0x00" * 11 + ", 0x01 }"
    value = IP6Prefix().c_value(IPv6Interface("ff00::/9"))
    assert value == "{ { 0xff" + ", 0x00" * 15 + " }, { 0xff, 0x80" + ", 0x00" * 14 + " } }"
