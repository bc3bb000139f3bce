"""ARPResponder: replies of RFC 826; the table's tests are Click's own."""

import pytest
from scapy.layers.l2 import ARP, Ether
from tests.elements.trials import Trial

from clickbpf.compile import check_text
from clickbpf.testing.equivalence import assert_element_equivalent, assert_equivalent
from clickbpf.vocabulary.library import Library

ASKER, ASKER_IP = "02:00:00:00:00:09", "10.0.0.9"
#: What pads a short frame on the wire.
PADDING = bytes(18)


def request(about: str, **fields: int) -> Ether:
    arp = ARP(op=1, hwsrc=ASKER, psrc=ASKER_IP, hwdst="00:00:00:00:00:00", pdst=about, **fields)
    return Ether(src=ASKER, dst="ff:ff:ff:ff:ff:ff") / arp / PADDING


def reply(about: str, mac: str) -> Ether:
    return Ether(src=mac, dst=ASKER) / ARP(op=2, hwsrc=mac, psrc=about, hwdst=ASKER, pdst=ASKER_IP)


def test_lengths_of_addresses_do_not_matter(element):
    """As in Click, which looks at the types only."""
    x = element("ARPResponder(10.0.0.1 02:00:00:00:00:01)")
    packet = bytearray(bytes(request("10.0.0.1")))
    packet[18:20] = 7, 9
    x.gives(bytes(packet), reply("10.0.0.1", "02:00:00:00:00:01"))


@pytest.mark.parametrize("order", [1, -1])
def test_the_innermost_prefix_counts(element, order):
    entries = ["0/0 2:0:0:0:0:0", "10.0.0.0/8 2:0:0:0:0:8", "10.0.0.0/24 10.9.0.0/16 2:0:0:0:0:24", "10.0.0.1 2:0:0:0:0:32"][::order]
    x = element(f"ARPResponder({', '.join(entries)})")
    for about, last in (("10.0.0.1", "32"), ("10.0.0.2", "24"), ("10.9.9.9", "24"), ("10.1.0.0", "08"), ("9.9.9.9", "00")):
        x.gives(request(about), reply(about, f"02:00:00:00:00:{last}"))


# -- the table -------------------------------------------------------------------------------------------------------------

NAMES = "AddressInfo(a 1.0.0.2/24 00:01:02:03:04:05, b 00:01:02:03:04:06);"
HOST_A, NET_B = "1.0.0.2/32 00-01-02-03-04-05\n", "1.0.0.0/24 00-01-02-03-04-06\n"


@pytest.mark.executors("native")
@pytest.mark.parametrize(
    ("arguments", "table"),
    [
        ("", ""),
        ("a", HOST_A),
        ("a:ipnet b:eth", NET_B),
        ("a:ipnet b:eth, a", HOST_A + NET_B),
        ("a, a:ipnet b:eth", HOST_A + NET_B),
        ("a, a, a:ipnet b:eth", HOST_A + NET_B),
        ("9.0.0.0/8 8.0.0.0/8 1:1:1:1:1:1, 9.0.0.1/8 2:2:2:2:2:2", "9.0.0.0/8 02-02-02-02-02-02\n8.0.0.0/8 01-01-01-01-01-01\n"),
    ],
)
def test_tables(element, arguments, table):
    assert element(f"ARPResponder({arguments})", declarations=NAMES).read("table") == table


def test_entries_come_and_go(element):
    x = element("ARPResponder(a, a:ipnet b:eth)", declarations=NAMES, noutputs=2)

    def answered(about: str, last: str) -> None:
        x.gives(request(about), reply(about, f"00:01:02:03:04:{last}"))

    answered("1.0.0.2", "05")
    answered("1.0.0.1", "06")
    x.write("remove", "1.0.0.2")
    assert x.read("table") == NET_B
    answered("1.0.0.2", "06")
    x.write("add", "a:ipnet a:eth")
    assert x.read("table") == "1.0.0.0/24 00-01-02-03-04-05\n"
    answered("1.0.0.1", "05")
    x.write("add", "1.0.0.1 1.0.0.128/25 b")
    answered("1.0.0.1", "06")
    answered("1.0.0.129", "06")
    answered("1.0.0.3", "05")


def test_lookup(element):
    x = element("ARPResponder(a, a:ipnet b:eth)", declarations=NAMES)
    lookup = x.router.executor.runtime.instances["x"].lookup
    assert [lookup(address) for address in ("1.0.0.1", "1.0.0.2", "2.0.0.1")] == ["00-01-02-03-04-06", "00-01-02-03-04-05", ""]


def test_the_table_can_be_full(element):
    x = element("ARPResponder()")
    for n in range(32):
        x.write("add", f"10.0.0.{n} 2:0:0:0:0:1")
    x.refuses("add", "10.0.1.0 2:0:0:0:0:1", "full")
    assert len(x.read("table").splitlines()) == 32


@pytest.mark.executors("native")
@pytest.mark.parametrize(("handler", "text"), [("add", "1.2.3.4"), ("add", "x"), ("remove", "1.2.3.4"), ("remove", "x")])
def test_handlers_refuse(element, handler, text):
    with pytest.raises(Exception, match="ETH|not found|IP prefix"):
        element("ARPResponder(10.0.0.1 2:0:0:0:0:1)").write(handler, text)


@pytest.mark.needs("root")
def test_both_executors_agree():
    entries = "0/0 1:2:3:4:5:6, 10.0.0.0/8 1:1:1:1:1:1"
    assert_element_equivalent(f"ARPResponder({entries})", noutputs=2, before="Paint(3)", packets=1000)
    requests = [request(f"{n}.0.0.1", **({"op": 3} if n % 7 == 0 else {})) for n in range(1, 200) if n % 7]
    assert_equivalent(f"FromDevice(eth0) -> ARPResponder({entries}) -> Queue -> ToDevice(eth0);", requests)


def test_repeated_prefixes_are_told():
    text = "Idle -> r :: ARPResponder(1.0.0.1/8 1.0.0.9/8 1:1:1:1:1:1, 2.0.0.1 2:2:2:2:2:2) -> Discard;"
    warnings = check_text(text, Library.standard()).instances["r"].warnings()
    assert [w.message for w in warnings] == ["multiple entries for 1.0.0.0/8"]


def test_all_mistakes_are_told_at_once(refused):
    assert len(refused("ARPResponder(1.0.0.0/8, 2.2.2.2 x)").splitlines()) == 2


def test_another_configuration(router, capfd):
    r = router("AddressInfo(a 10.0.0.1/24 2:0:0:0:0:1); FromDevice(eth0) -> x :: ARPResponder(a) -> Queue -> ToDevice(eth0);")
    r.write("x.config", "10.0.7.0/24 a:eth, a")
    assert sorted(r.read("x.table").splitlines()) == ["10.0.0.1/32 02-00-00-00-00-01", "10.0.7.0/24 02-00-00-00-00-01"]
    r.forwards("eth0", bytes(request("10.0.7.9")), "eth0", reply("10.0.7.9", "02:00:00:00:00:01"))
    r.write("x.config", "a, a")
    assert "multiple entries for 10.0.0.1/32" in capfd.readouterr().err
    with pytest.raises(Exception, match="missing ETH"):
        r.write("x.config", "10.0.0.1")
    assert r.read("x.config") == "a, a"


TRIALS = {
    "a request is answered": Trial("ARPResponder(10.0.0.1 02:00:00:00:00:01)", noutputs=2, before="Paint(3) -> Paint(5, 20)")
        .gives(
            request("10.0.0.1"), reply("10.0.0.1", "02:00:00:00:00:01"), annotations={0: bytes(20) + b"\5" + bytes(27)}, mac=0, network=14,
            type=0, device=0
        ),
    "everything else leaves by output 1": [
        Trial("ARPResponder(10.0.0.1 02:00:00:00:00:01)", noutputs=2).passes(packet, output=1)
        for packet in [
            request("10.0.0.2"),
            request("10.0.0.1", hwtype=6),
            request("10.0.0.1", ptype=0x86DD),
            reply("10.0.0.1", "02:00:00:00:00:05"),
            Ether(src=ASKER, type=0x0800) / bytes(request("10.0.0.1"))[14:],
            bytes(request("10.0.0.1"))[:41],
        ]
    ],
    "a mask with holes": Trial("ARPResponder(10.0.5.0/255.0.255.0 2:0:0:0:0:1)", noutputs=2)
        .gives(request("10.77.5.9"), reply("10.77.5.9", "02:00:00:00:00:01")).gives(request("10.77.6.9"), output=1),
}

MISTAKES = {
    "ARPResponder(1:1:1:1:1:1)": ["ARPResponder: argument 0: missing IP/MASK"],
    "ARPResponder(1.0.0.0/8)": ["ARPResponder: argument 0: missing ETH"],
    "ARPResponder(1.0.0.0/8 x)": ["ARPResponder: argument 0: expected IP/MASK ETH"],
    "ARPResponder(1.0.0.1 1:1:1:1:1:1 2:2:2:2:2:2)": ["ARPResponder: argument 0: more than one ETH"],
}
