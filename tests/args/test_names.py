"""Names of addresses and numbers: scopes of compounds, suffixes, this machine's devices.

The rules are those of the manual pages of Click's AddressInfo and PortInfo.
"""

from ipaddress import IPv4Address, IPv6Address, IPv6Interface

import pytest

from clickbpf.args import ArgError, Context, Ether, EtherAddress, IP6Address, IP6Prefix, IPAddress, IPPrefix, Names
from clickbpf.args.devices import Devices
from clickbpf.args.names import ETHER, IP, IP6, IP6_PREFIX, IP_PREFIX, icmp_code, port, scopes
from clickbpf.args.values import Prefix


class Message(dict):
    """A netlink message as pyroute2 gives it."""

    def get_attr(self, name):
        return self["attrs"].get(name)


class TwoDevices(Devices):
    """lo without Ethernet, and eth7, 192.168.7.2/24, with a default route over 192.168.7.254."""

    _names = frozenset({"lo", "eth7"})
    _dump = (
        [
            Message(index=1, ifi_type=772, attrs={"IFLA_IFNAME": "lo", "IFLA_ADDRESS": "00:00:00:00:00:00"}),
            Message(index=2, ifi_type=1, attrs={"IFLA_IFNAME": "eth7", "IFLA_ADDRESS": "02:00:00:00:00:07"}),
        ],
        [
            Message(index=1, prefixlen=8, attrs={"IFA_LOCAL": "127.0.0.1"}),
            Message(index=2, prefixlen=24, attrs={"IFA_LOCAL": "192.168.7.2"}),
            Message(index=2, prefixlen=16, attrs={"IFA_LOCAL": "10.9.0.2"}),
        ],
        [
            Message(index=1, scope=254, prefixlen=128, attrs={"IFA_ADDRESS": "::1"}),
            Message(index=2, scope=253, prefixlen=64, attrs={"IFA_ADDRESS": "fe80::7"}),
            Message(index=2, scope=0, prefixlen=48, attrs={"IFA_ADDRESS": "2001:db8:7::2"}),
        ],
    )
    _routes = (Message(dst_len=0, attrs={"RTA_GATEWAY": "192.168.7.254", "RTA_OIF": 2}),)


@pytest.fixture
def names():
    """AddressInfo(mauer 10.0.0.1 00-50-BA-85-84-A9, boojum 10.0.0.77/24); in compound c: AddressInfo(mazu 10.0.0.10)."""
    names = Names(TwoDevices())
    names.define(IP, "info", "mauer", IPv4Address("10.0.0.1"))
    names.define(ETHER, "info", "mauer", Ether.fromhex("0050ba8584a9"))
    names.define(IP, "info", "boojum", IPv4Address("10.0.0.77"))
    names.define(IP_PREFIX, "info", "boojum", Prefix.of_length(IPv4Address("10.0.0.77"), 24))
    names.define(IP, "c/info", "mazu", IPv4Address("10.0.0.10"))
    return names


def ip(names, text, element="x"):
    return str(IPAddress().parse(text, Context(element, names=names)))


def test_ip6_names(names):
    """IPv6 addresses have names of their own; a device's global address is preferred to its link-local one."""
    names.define(IP6, "info", "boojum", IPv6Address("2001:db8::77"))
    names.define(IP6_PREFIX, "info", "boojum", IPv6Interface("2001:db8::77/64"))
    names.define(IP6_PREFIX, "info", "pair", IPv6Interface("2001:db8:8::1/127"))
    where = Context("x", names=names)
    for text, address in (
        ("boojum", "2001:db8::77"), ("boojum:IP6", "2001:db8::77"), ("eth7", "2001:db8:7::2"), ("eth7:ip6", "2001:db8:7::2"), ("lo", "::1"),
        ("boojum:ip6any", "2001:db8::"), ("eth7:ip6any", "2001:db8:7::"), ("pair:ip6any", "2001:db8:8::1"),
    ):  # fmt: skip
        assert IP6Address().parse(text, where) == IPv6Address(address)
    for text, prefix in (("boojum:ip6net", "2001:db8::77/64"), ("eth7:net", "2001:db8:7::2/48")):
        assert IP6Prefix().parse(text, where) == IPv6Interface(prefix)
    for text in ("mauer", "mauer:ip6", "boojum:ip", "boojum:ipnet", "eth8:ip6"):
        with pytest.raises(ArgError, match="is not an IPv6 address, nor the name of one"):
            IP6Address().parse(text, where)


def test_scopes():
    assert list(scopes("a/b/x")) == ["a/b/", "a/", ""]
    assert list(scopes("x")) == [""]


def test_names_of_a_compound_hold_within_it(names):
    assert ip(names, "mazu", "c/x") == "10.0.0.10"
    assert ip(names, "mazu", "c/d/x") == "10.0.0.10"
    assert ip(names, "mauer", "c/d/x") == "10.0.0.1"
    for outside in ("x", "cc/x", "d/x"):
        with pytest.raises(ArgError, match="'mazu' is not an IP address, nor the name of one"):
            ip(names, "mazu", outside)


def test_inner_names_hide_outer_ones(names):
    names.define(IP, "c/info", "mauer", IPv4Address("10.0.0.2"))
    assert ip(names, "mauer", "c/x") == "10.0.0.2"
    assert ip(names, "mauer", "x") == "10.0.0.1"


@pytest.mark.parametrize(
    "text, address",
    [
        ("mauer:ip", "10.0.0.1"),
        ("mauer:IP4", "10.0.0.1"),
        ("boojum", "10.0.0.77"),
        ("boojum:bcast", "10.0.0.255"),
        ("boojum:gw", "10.0.0.1"),
        ("eth7", "192.168.7.2"),
        ("eth7:ip", "192.168.7.2"),
        ("eth7:bcast", "192.168.7.255"),
        ("eth7:gw", "192.168.7.254"),
        ("lo:gw", "127.0.0.1"),
    ],
)
def test_ip_suffixes(names, text, address):
    assert ip(names, text) == address


@pytest.mark.parametrize("text", ["mauer:eth", "mauer:bcast", "mauer:gw", "nobody", "mauer:", "eth8"])
def test_no_such_ip_name(names, text):
    with pytest.raises(ArgError):
        ip(names, text)


def test_a_defined_gateway_comes_first(names):
    names.define(IP, "info", "boojum:gw", IPv4Address("10.0.0.254"))
    assert ip(names, "boojum:gw") == "10.0.0.254"


def test_prefix_names(names):
    def prefix(text, **how):
        return str(IPPrefix(**how).parse(text, Context("x", names=names)))

    assert prefix("boojum:ipnet") == "10.0.0.77/24"
    assert prefix("boojum", bare=False) == "10.0.0.77/24"
    # Names with both kinds of definition are addresses where those are accepted.
    assert prefix("boojum") == "10.0.0.77/32"
    assert prefix("mauer/16") == "10.0.0.1/16"
    assert prefix("eth7:net") == "192.168.7.2/24"
    with pytest.raises(ArgError, match="is not an IP prefix"):
        prefix("mauer:ipnet")


def test_ether_names(names):
    def ether(text):
        return str(EtherAddress().parse(text, Context("x", names=names)))

    assert ether("mauer") == ether("mauer:eth") == ether("mauer:ethernet") == "00-50-BA-85-84-A9"
    assert ether("eth7") == "02-00-00-00-00-07"
    for text in ("boojum", "mauer:ip", "lo"):
        with pytest.raises(ArgError, match="is not an Ethernet address"):
            ether(text)


def test_hint_names_what_is_alike(names):
    with pytest.raises(ArgError) as error:
        ip(names, "maurer")
    assert error.value.hint == "did you mean 'mauer'?"


def test_well_known_names():
    names = Names()
    assert names.query(port(17), "x", "ntp") == 123
    assert names.query(icmp_code(3), "x", "port") == 3
    assert names.query("protocol", "x", "icmp") == 1
    assert names.query(port(250), "x", "ntp") is None
    assert names.query("protocol", "x", "no\0thing") is None
    names.define(port(17), "info", "ntp", 1123)
    assert names.query(port(17), "x", "ntp") == 1123


def test_names_do_not_depend_on_the_files_of_this_machine(monkeypatch):
    """Numbers of the IANA's registries; where Click has another (it means 4 by ipip), Click's counts."""

    def nobody(*arguments):
        raise OSError("no such file")

    monkeypatch.setattr("socket.getprotobyname", nobody)
    monkeypatch.setattr("socket.getservbyname", nobody)
    names = Names()
    assert [names.query("protocol", "x", name) for name in ("tcp", "esp", "ah", "ospf", "ipip", "nsh")] == [6, 50, 51, 89, 4, 145]
    assert [names.query(port(6), "x", name) for name in ("bgp", "ldap", "postgresql", "www")] == [179, 389, 5432, 80]
    assert names.query(port(132), "x", "amqp") == 5672
    assert [names.query("protocol", "x", name) for name in ("TCP", "IPv6-ICMP")] == [6, 58]
    assert names.query("protocol", "x", "unheard-of") is None


def test_the_files_of_this_machine_add_names_and_change_none(monkeypatch):
    monkeypatch.setattr("socket.getprotobyname", {"mine": 253, "esp": 99}.__getitem__)
    assert (Names().query("protocol", "x", "mine"), Names().query("protocol", "x", "esp")) == (253, 50)


def test_a_device_that_stands_for_another_lends_its_addresses():
    lent = Names(TwoDevices({"outside": "eth7", "eth7": "lo"}))
    assert lent.ip("x", "outside:ip") == IPv4Address("192.168.7.2")
    assert lent.ip("x", "outside:gw") == IPv4Address("192.168.7.254")
    assert lent.ether("x", "outside:eth") == bytes.fromhex("020000000007")
    assert lent.ip("x", "eth7:ip") == IPv4Address("127.0.0.1")


def test_devices_of_this_machine_are_asked():
    assert Devices().ip("no such device") is None
    assert Devices().ether("no such device") is None
