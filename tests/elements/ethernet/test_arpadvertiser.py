"""ARPAdvertiser: a reply (RFC 826) for each entry of its table, at ARPFaker's times."""

import pytest
from scapy.layers.l2 import ARP, Ether

from clickbpf.errors import ClickError

FIRST = ("10.0.0.2", "02:00:00:00:00:02", "10.0.0.9", "02:00:00:00:00:09")
OTHER = ("10.0.0.3", "02:00:00:00:00:03", "10.0.0.8", "02:00:00:00:00:08")
native = pytest.mark.executors("native")


def reply(ip: str, ether: str, claimed_ip: str, claimed: str) -> Ether:
    return Ether(src=claimed, dst=ether) / ARP(op=2, hwsrc=claimed, psrc=claimed_ip, hwdst=ether, pdst=ip)


def line(ip: str, ether: str, claimed_ip: str, claimed: str) -> str:
    """As FastClick prints an entry: fields of 17 characters."""
    return f"[Dst IP {ip:>17}, Dst MAC {ether:>17}] --> [Adv IP {claimed_ip:>17}, Adv MAC {claimed:>17}]\n"


@native
def test_replies_after_a_second_and_then_every_ten(router):
    r = router(f"x :: ARPAdvertiser({', '.join(FIRST)}) -> Queue -> ToDevice(eth0);", simtime=True)
    r.write("x.insert", " ".join(OTHER))
    assert r.advance(0.99) == []
    for seconds in (0.02, 10):
        assert len(r.advance(seconds)) == 2
        r.expect("eth0", reply(*FIRST))
        r.expect("eth0", reply(*OTHER))
    r.write("x.delete", " ".join(FIRST))
    assert len(r.advance(10)) == 1
    r.expect("eth0", reply(*OTHER))
    r.write("x.clear")
    assert r.advance(20) == []


@native
def test_the_table(router):
    r = router("x :: ARPAdvertiser(CAPACITY 1) -> Discard;")
    assert (r.read("x.table"), r.read("x.count"), r.read("x.capacity")) == ("", "0", "1")
    for entry in (FIRST, OTHER, (*FIRST[:3], OTHER[3])):
        r.write("x.insert", " ".join(entry))
    assert (r.read("x.table"), r.read("x.count")) == (line(*FIRST) + line(*OTHER) + line(*FIRST[:3], OTHER[3]), "3")
    assert r.read("x.capacity") == "4"
    r.write("x.delete", " ".join(OTHER))
    assert (r.read("x.table"), r.read("x.capacity")) == (line(*FIRST) + line(*FIRST[:3], OTHER[3]), "4")


@native
def test_entries_that_make_no_sense(router):
    r = router(f"x :: ARPAdvertiser({', '.join(FIRST)}) -> Discard;")
    for handler, text in (("insert", " ".join(FIRST)), ("insert", "10.0.0.2"), ("insert", "x y z u"), ("delete", " ".join(OTHER))):
        with pytest.raises(ClickError):
            r.write(f"x.{handler}", text)
    assert r.read("x.table") == line(*FIRST)


@native
@pytest.mark.parametrize("arguments", ["", FIRST[0], ", ".join(FIRST[:3]), ", ".join(("0.0.0.0", *FIRST[1:]))])
def test_without_a_whole_entry_the_table_is_empty(router, arguments):
    assert router(f"x :: ARPAdvertiser({arguments}) -> Discard;").read("x.count") == "0"
