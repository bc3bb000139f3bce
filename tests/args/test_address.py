"""Addresses: Click's IPAddressArg, IPPrefixArg and EtherAddressArg."""

from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clickbpf.args import ArgError, Context, Ether, EtherAddress, IPAddress, IPPrefix, IPPrefixNonContiguous, Names, OwnEtherAddress, Prefix
from clickbpf.args.devices import Devices


class NoDevices(Devices):
    """A machine without network devices."""

    _dump = ([], [], [], [])


ALONE = Context(names=Names(NoDevices()))


def test_ip_address():
    assert IPAddress().parse("18.26.4.9") == IPv4Address("18.26.4.9")
    assert IPAddress().parse("010.0.0.001") == IPv4Address("10.0.0.1")


@pytest.mark.parametrize(
    "text", ["", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.", "1.2.3.4 ", "0x1.2.3.4", "a.b.c.d", "1.2.3.4/8", "١.2.3.4"]
)
def test_not_an_ip_address(text):
    with pytest.raises(ArgError, match="is not an IP address"):
        IPAddress().parse(text, ALONE)


@pytest.mark.parametrize(
    "text, address, length",
    [
        ("18.26.4/24", "18.26.4.0", 24),
        ("18.26.4.9/24", "18.26.4.9", 24),
        ("10/8", "10.0.0.0", 8),
        ("10.0.0.0/255.255.0.0", "10.0.0.0", 16),
        ("0/0", "0.0.0.0", 0),
        ("1.2.3.4/32", "1.2.3.4", 32),
    ],
)
def test_prefix(text, address, length):
    assert IPPrefix(bare=False).parse(text, ALONE) == Prefix.of_length(IPv4Address(address), length)


@pytest.mark.parametrize("text", ["18.26.4/28", "1.2.3.4/33", "1.2.3.4/-1", "1.2.3.4/0x10", "1.2.3.4/", "/8", "1.2.3.4/8/8", "1.2.3.4"])
def test_not_a_prefix(text):
    with pytest.raises(ArgError, match="is not an IP prefix"):
        IPPrefix(bare=False).parse(text, ALONE)


@pytest.mark.parametrize("text, why", [("10.0.0.0/33", "the length is at most 32"), ("10.0/24", "10.0 has only 16 of its 32 bits")])
def test_what_is_wrong_with_a_length(text, why):
    with pytest.raises(ArgError, match=why):
        IPPrefix().parse(text, ALONE)


def test_bare_address_is_a_host():
    assert str(IPPrefix().parse("1.2.3.4")) == "1.2.3.4/32"
    with pytest.raises(ArgError):
        IPPrefix().parse("1.2.3", ALONE)


def test_masks_with_holes():
    assert str(IPPrefixNonContiguous().parse("1.2.3.4/255.0.255.0")) == "1.2.3.4/255.0.255.0"
    with pytest.raises(ArgError, match="255.0.255.0 has holes"):
        IPPrefix().parse("1.2.3.4/255.0.255.0")


def test_prefix_arithmetic():
    prefix = IPPrefix().parse("10.1.2.3/20")
    assert prefix.network == IPv4Address("10.1.0.0")
    assert prefix.broadcast == IPv4Address("10.1.15.255")
    assert IPv4Address("10.1.15.1") in prefix
    assert IPv4Address("10.1.16.1") not in prefix


@given(st.integers(0, 2**32 - 1), st.integers(0, 32))
def test_prefix_round_trip(address, length):
    prefix = Prefix.of_length(IPv4Address(address), length)
    assert prefix.length == length
    assert IPPrefix().parse(str(prefix)) == prefix


@pytest.mark.parametrize("text", ["00:50:ba:85:84:a9", "00-50-BA-85-84-A9", "0:50:BA:85:84:a9"])
def test_ether(text):
    value = EtherAddress().parse(text)
    assert value == bytes.fromhex("0050ba8584a9")
    assert str(value) == "00-50-BA-85-84-A9"


@pytest.mark.parametrize(
    "text", ["00:50:ba:85:84", "00:50:ba:85:84:a9:00", "00:50:ba-85:84:a9", "000:50:ba:85:84:a9", "00:50:ba:85:84:ag", "::::::"]
)
def test_not_an_ether_address(text):
    with pytest.raises(ArgError, match="is not an Ethernet address"):
        EtherAddress().parse(text, ALONE)


@pytest.mark.parametrize("text", ["33:33:00:00:00:01", "ff:ff:ff:ff:ff:ff", "01:00:00:00:00:00", "0:0:0:0:0:0"])
def test_not_an_address_to_send_from(text):
    """The lowest bit of the first byte is that of groups (IEEE 802, 8.2.2)."""
    with pytest.raises(ArgError, match="nobody's address" if text.startswith("0:") else "the address of a group") as error:
        OwnEtherAddress().parse(text, ALONE)
    assert OwnEtherAddress().parse(error.value.hint.split()[-1]) == EtherAddress().parse("02:00:00:00:00:01")


@given(st.binary(min_size=6, max_size=6))
def test_ether_round_trip(value):
    assert EtherAddress().parse(EtherAddress().unparse(Ether(value))) == value
