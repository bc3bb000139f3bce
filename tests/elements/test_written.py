"""Arguments that are settings: an element whose handlers were written to does as one that is configured so, and refuses what that would."""

from dataclasses import replace

import pytest
from tests.elements.beside import Tried, assert_alike, beside, parts
from tests.elements.test_refusals import LIBRARY, wrong_texts

from clickbpf.errors import ClickError
from clickbpf.testing.packets import IPV6
from clickbpf.testing.router import Router

ETHER = "0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2"
#: What the element is to be like in the end, how it is configured, and what is written then.
WRITTEN: list[tuple[Tried, str, dict[str, str]]] = [
    (Tried("Paint(4)"), "Paint(3)", {"color": "4"}),
    (Tried("CheckPaint(6)", before="Paint(6)", noutputs=2), "CheckPaint(5)", {"color": "6"}),
    (Tried("PaintTee(6)", before="Paint(6)", noutputs=2), "PaintTee(5)", {"color": "6"}),
    (Tried("SetAnnoByte(PAINT, 255)"), "SetAnnoByte(PAINT, 7)", {"value": "255"}),
    (
        Tried("EtherEncap(0x0801, 3:3:3:3:3:3, 4:4:4:4:4:4)"), f"EtherEncap({ETHER})",
        {"ethertype": "0x0801", "src": "3:3:3:3:3:3", "dst": "04-04-04-04-04-04"},
    ),
    (
        Tried("EtherRewrite(3:3:3:3:3:3, 4:4:4:4:4:4)"), "EtherRewrite(1:1:1:1:1:1, 2:2:2:2:2:2)",
        {"src": "3:3:3:3:3:3", "dst": "04-04-04-04-04-04"},
    ),
    (Tried("HostEtherFilter(02:00:00:00:00:01)", noutputs=2), "HostEtherFilter(02:00:00:00:00:05)", {"ether": "02:00:00:00:00:01"}),
    (Tried("VLANEncap(7, 3, ETHERTYPE 0x9100)"), "VLANEncap(0x6005)", {"vlan_id": "7", "ethertype": "0x9100"}),
    (Tried("VLANEncap(ANNO)", before="SetVLANAnno(9)"), "VLANEncap(0x6005)", {"vlan_tci": "ANNO"}),
    (Tried("StoreEtherAddress(9:9:9:9:9:9, src)"), "StoreEtherAddress(1:1:1:1:1:1, src)", {"addr": "9:9:9:9:9:9"}),
    (Tried("SetEtherAddress(9:9:9:9:9:9, 32)"), "SetEtherAddress(1:1:1:1:1:1, 32)", {"addr": "9:9:9:9:9:9"}),
    (
        Tried("ICMP6Error(fe80::5, packettoobig, PMTU 1500, RATE 0)", "ip6-checked", mix=IPV6),
        "ICMP6Error(2001:db8::1, packettoobig, RATE 0)", {"src": "fe80::5", "pmtu": "1500"},
    ),
    (Tried("ICMPPingEncap(3.0.0.3, 4.0.0.4)"), "ICMPPingEncap(1.0.0.1, 2.0.0.2)", {"src": "3.0.0.3", "dst": "4.0.0.4"}),
    (Tried("DecIPTTL", "ip-checked", noutputs=2), "DecIPTTL(ACTIVE false)", {"active": "true"}),
    (Tried("IPEncap(4, 4.3.2.1, DST_ANNO)", "ip-checked"), "IPEncap(4, 1.2.3.4, 5.6.7.8)", {"src": "4.3.2.1", "dst": "DST_ANNO"}),
    (Tried("IPEncap(4, 4.3.2.1, 8.7.6.5)", "ip-checked"), "IPEncap(4, 4.3.2.1, DST_ANNO)", {"dst": "8.7.6.5"}),
    (Tried("SetIPAddress(4.3.2.1, ANNO 12)"), "SetIPAddress(10.0.0.254, ANNO 12)", {"addr": "4.3.2.1"}),
    (Tried("SetIPDSCP(10)", "ip-checked"), "SetIPDSCP(0x2e)", {"dscp": "10"}),
    (Tried("SetIPECN(ECT(1))", "ip-checked"), "SetIPECN(ce)", {"ecn": "ECT(1)"}),
    (Tried("IP6Encap(41, ::9, ::8)"), "IP6Encap(41, 2001:db8::1, DST_ANNO)", {"src": "::9", "dst": "::8"}),
    (
        Tried("UDPIP6Encap(::9, 7, ::8, 6)"), "UDPIP6Encap(2001:db8::1, 1, 2001:db8::2, 2)",
        {"src": "::9", "sport": "7", "dst": "::8", "dport": "6"},
    ),
    (
        Tried("UDPIPEncap(3.0.0.3, 7, 4.0.0.4, 6)"), "UDPIPEncap(1.0.0.1, 1, 2.0.0.2, 2)",
        {"src": "3.0.0.3", "sport": "7", "dst": "4.0.0.4", "dport": "6"},
    ),
    (Tried("CheckLength(50)", noutputs=2), "CheckLength(100)", {"length": "50"}),
    (Tried("Resize(-3, -1)"), "Resize(1, 2)", {"head": "-3", "tail": "-1"}),
    (Tried("Truncate(20)"), "Truncate(40)", {"nbytes": "20"}),
    (Tried("WifiEncap(2, 02:00:00:00:00:33)"), "WifiEncap(0)", {"mode": "2", "bssid": "02:00:00:00:00:33"}),
    (Tried("SetTXRate(4, TRIES 5)"), "SetTXRate(22)", {"rate": "4", "tries": "5"}),
    (Tried("SetTXPower(5)"), "SetTXPower(9)", {"power": "5"}),
    (Tried("SetRTS(true)"), "SetRTS(false)", {"rts": "1"}),
]  # fmt: skip


def refused(element: str, handler: str) -> list[str]:
    """Texts that the argument of the handler's name, if there is one, doesn't take; but TRIES may become 0 and RTS 7, as in Click."""
    declared = LIBRARY.find(element.partition("(")[0]).args
    asked = handler not in ("tries", "rts")
    return [text for argument in declared if asked and argument.name == handler.upper() for text in wrong_texts(argument.type)]


def test_what_is_written_is_as_if_it_were_configured(router):
    for rows in parts(WRITTEN, 8):
        pairs = [each for wanted, text, _ in rows for each in (wanted, Tried(text, wanted.headers, wanted.before, wanted.noutputs))]
        try_each(router(beside(pairs, record=True), simtime=True), rows)


def try_each(r: Router, rows: list[tuple[Tried, str, dict[str, str]]]) -> None:
    for number, (wanted, text, writes) in enumerate(rows):
        like, x = f"x{2 * number}", f"x{2 * number + 1}"
        for handler, value in writes.items():
            before = r.read(f"{x}.{handler}")
            for wrong in refused(text, handler):
                with pytest.raises(ClickError):
                    r.write(f"{x}.{handler}", wrong)
            assert r.read(f"{x}.{handler}") == before != r.read(f"{like}.{handler}"), (text, handler)
            r.write(f"{x}.{handler}", value)
            assert r.read(f"{x}.{handler}") == r.read(f"{like}.{handler}"), (text, handler)
        assert_alike(r, 2 * number, 2 * number + 1, replace(wanted, packets=60))
