"""Addresses that Linux changes, as DHCP does, in a router that answers for them itself: LinuxAddresses tells ARPResponder and ICMPError,
and LinuxIPLookup knows which packets are this machine's."""

import pytest
from tests.configs.conftest import Loaded
from tests.waiting import eventually

from clickbpf.testing.traffic import ping

ROUTER = """
FromDevice(eth0) -> c :: Classifier(12/0806 20/0001, 12/0800, -);
c[0] -> answer :: ARPResponder(0.0.0.0 eth0) -> q :: Queue -> ToDevice(eth0);
c[1] -> CheckIPHeader(14) -> Strip(14) -> rt :: LinuxIPLookup(eth0);
rt[0] -> ttl :: DecIPTTL -> Discard;
ttl[1] -> error :: ICMPError(0.0.0.0, timeexceeded) -> EtherEncap(0x0800, eth0, {host}) -> q;
rt[1] -> Unstrip(14) -> ToHost;
c[2] -> ToHost;
own :: LinuxAddresses(eth0, CALL changed.run);
changed :: Script(TYPE PASSIVE, write calls.set n $(add $(calls.get n) 1),
	write error.src $(first $(own.ip)), write answer.config $(own.ip) $(own.eth));
calls :: Script(TYPE PASSIVE, init n 0, init lan "");
away :: LinuxAddresses(lan0, CALL seen.run);
seen :: Script(TYPE PASSIVE, write calls.set lan $(away.ip));
Idle -> other :: LinuxIPLookup(eth0, TABLE 100) -> Discard;
"""


@pytest.mark.needs("root", "ip", "ping", "clang-19")
def test_other_elements_learn_of_addresses(network, tmp_path):
    linux = network.namespace("router")
    linux.sysctl("net.ipv4.conf.all.promote_secondaries", "1")
    host = network.host("host", linux, "eth0", "10.0.0.2/24", "10.0.0.1")
    linux.address("eth0", "10.0.0.1/24")
    linux.route("default", "10.0.0.2")
    network.veth(linux, "lan0", host, "lan0")
    config = tmp_path / "router.click"
    config.write_text(ROUTER.format(host=host.mac("eth0")))
    router = Loaded(linux, config)
    try:
        assert eventually(lambda: router.read("answer.table").split()[0] == "10.0.0.1/32")
        assert eventually(lambda: ping(host, "10.0.0.1", 1) == 1)
        # Another table than the main one, in which rules have no part, while they leave all packets to Linux in the main one.
        route, link = "10.9.0.0/16 10.0.0.2 0", "10.0.0.0/24 - 0"
        linux.ip("route", "add", "10.9.0.0/16", "via", "10.0.0.2", "table", "100")
        assert eventually(lambda: route in router.read("other.table") and link in router.read("rt.table"))
        assert route not in router.read("rt.table") and link not in router.read("other.table")
        linux.ip("rule", "add", "from", "10.0.0.9", "lookup", "100")
        assert eventually(lambda: link not in router.read("rt.table")) and route in router.read("other.table")
        linux.ip("rule", "del", "from", "10.0.0.9", "lookup", "100")
        # Another address, and then not the first one any more.
        linux.address("eth0", "10.0.0.77/24")
        assert eventually(lambda: "10.0.0.77/32" in router.read("answer.table"))
        linux.ip("address", "del", "10.0.0.1/24", "dev", "eth0")
        assert eventually(lambda: "10.0.0.1/32" not in router.read("answer.table"))
        assert router.read("own.table") == "10.0.0.77/24" and router.read("error.src") == "10.0.0.77"
        assert eventually(lambda: ping(host, "10.0.0.77", 1) == 1)
        host.route("default", "10.0.0.77")
        assert "From 10.0.0.77 " in host.run("ping", "-c1", "-t1", "10.9.9.9", check=False).stdout
        # The Ethernet address; and what isn't an address brings no call.
        linux.ip("link", "set", "eth0", "address", "02:00:00:00:00:99")
        assert eventually(lambda: "02-00-00-00-00-99" in router.read("answer.table"))
        calls = router.read("calls.get n")
        linux.ip("link", "set", "eth0", "mtu", "1400")
        linux.ip("address", "flush", "dev", "eth0")
        assert eventually(lambda: router.read("own.ip") == "0.0.0.0" and "0.0.0.0/32" in router.read("answer.table"))
        assert int(router.read("calls.get n")) == int(calls) + 1
        # A device that the router doesn't take packets from, under its name again: it has another number.
        linux.ip("link", "delete", "lan0")
        network.veth(linux, "lan0", host, "lan0")
        linux.address("lan0", "10.7.0.1/24")
        assert eventually(lambda: router.read("calls.get lan") == "10.7.0.1")
    finally:
        router.unload()


def test_where_there_is_no_linux(element):
    x = element("LinuxAddresses(eth77)", ninputs=0, noutputs=0)
    assert (x.read("ip"), x.read("ip6"), x.read("eth"), x.read("table")) == ("0.0.0.0", "::", "", "")
