"""IPPrint: the lines that Click prints."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.packet import Packet, Raw

#: It runs in user space however a packet gets there.
pytestmark = pytest.mark.executors("native")

SOURCE, TARGET = "10.0.0.1", "10.0.0.2"
#: How a line begins whose packet has no ports.
PAIR = f"{SOURCE} > {TARGET}: "


def packet(*layers: Packet | bytes, **fields) -> Packet:
    whole = IP(src=SOURCE, dst=TARGET, **fields)
    for layer in layers:
        whole = whole / layer
    return whole


UDP_PACKET = packet(UDP(sport=5, dport=53), b"question", id=7, ttl=9, tos=4)


@pytest.fixture
def printed(printed):
    return lambda packet, arguments="TIMESTAMP false", **options: printed(f"IPPrint({arguments})", packet, headers="ip", **options)


@pytest.mark.parametrize(
    ("header", "payload", "said"),
    [
        # flags; sequence numbers from and to, of which SYN and FIN take one; bytes of data, packet, IP packet
        (TCP(flags="S", seq=7), b"", "S 7:8(1,40,40) win 8192"),
        (TCP(flags="SA", seq=7, ack=9), b"", "S 7:8(1,40,40) ack 9 win 8192"),
        (TCP(flags="A", seq=7, ack=9, window=3), b"12345", ". 7:12(5,45,45) ack 9 win 3"),
        (TCP(flags="FPA", seq=7, ack=9), b"12345", "FP 7:13(6,45,45) ack 9 win 8192"),
        (TCP(flags="R", seq=2**32 - 1), b"12", "R 4294967295:1(2,42,42) win 8192"),
    ],
)
def test_tcp(printed, header, payload, said):
    header.sport, header.dport = 4000, 80
    assert printed(packet(header, payload)) == [f"{SOURCE}.4000 > {TARGET}.80: {said}"]


def test_udp(printed):
    assert printed(UDP_PACKET) == [f"{SOURCE}.5 > {TARGET}.53: udp 16"]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (ICMP(type=8, id=1, seq=258), "icmp echo (1, 258)"),
        (ICMP(type=0, id=1, seq=258), "icmp echo-reply (1, 258)"),
        (ICMP(type=11, code=0), "icmp timeexceeded transit"),
        (ICMP(type=5, code=1), "icmp redirect host"),
        (ICMP(type=13), "icmp timestamp"),
        (ICMP(type=5, code=77), "icmp redirect code 77"),
        (ICMP(type=99, code=0), "icmp type 99"),
        (ICMP(type=3, code=1), "icmp unreachable host truncated-icmp"),
    ],
)
def test_icmp(printed, message, said):
    assert printed(packet(message)) == [PAIR + said]


@pytest.mark.parametrize(
    ("code", "inner", "said"),
    [
        (1, UDP(dport=53), "host"),
        (2, UDP(dport=53), "protocol udp"),
        (3, UDP(dport=53), "port udp/53"),
        (3, Raw(b"\0" * 3), "port protocol 253truncated-icmp"),
        (4, UDP(dport=53), "needfrag (mtu 1300)"),
        (200, UDP(dport=53), "code 200"),
    ],
)
def test_what_is_unreachable(printed, code, inner, said):
    proto = {} if UDP in inner else {"proto": 253}
    message = ICMP(type=3, code=code, nexthopmtu=1300)
    assert printed(packet(message, IP(dst="1.2.3.4", **proto) / inner)) == [f"{PAIR}icmp 1.2.3.4 unreachable {said}"]


def test_other_protocols(printed):
    assert printed(packet(b"text", proto=89)) == [PAIR + "ip-proto-89"]


@pytest.mark.parametrize(
    ("proto", "length", "said"),
    [
        (6, 3, PAIR + "truncated-tcp"),
        (6, 13, f"{SOURCE}.258 > {TARGET}.772: truncated-tcp"),
        (17, 3, PAIR + "truncated-udp"),
        (17, 7, f"{SOURCE}.258 > {TARGET}.772: truncated-udp"),
        (1, 1, PAIR + "truncated-icmp"),
    ],
)
def test_what_is_cut_short(printed, proto, length, said):
    assert printed(packet(bytes(range(1, length + 1)), proto=proto)) == [said]


def test_an_ip_header_that_is_cut_short(printed):
    assert printed(bytes(UDP_PACKET)[:19]) == ["truncated-ip"]


@pytest.mark.parametrize(("proto", "name"), [(6, "tcp"), (17, "udp"), (1, "icmp"), (89, "ip-proto-89")])
def test_later_fragments(printed, proto, name):
    assert printed(packet(bytes(16), proto=proto, id=5, frag=3, flags="MF")) == [f"{PAIR}{name} (frag 5:16@24+)"]
    assert printed(packet(bytes(9), proto=proto, id=5, frag=3)) == [f"{PAIR}{name} (frag 5:9@24)"]


def test_fields_and_annotations(printed):
    fields = "TIMESTAMP false, ID true, TTL true, TOS true, LENGTH true"
    line = f"{SOURCE}.5 > {TARGET}.53: udp 16"
    assert printed(UDP_PACKET, fields) == [f"id 7 ttl 9 tos 4 length 36 {line}"]
    assert printed(UDP_PACKET, "TIMESTAMP false, PAINT true", before="Paint(3)") == [f"paint 3: {line}"]
    assert printed(UDP_PACKET, "TIMESTAMP false, AGGREGATE true", before="Paint(2, 20)") == [f"#2: {line}"]
    both = "x, TIMESTAMP false, AGGREGATE true, PAINT true"
    assert printed(UDP_PACKET, both, before="Paint(2, 20) -> Paint(3)") == [f"x: #2.3: {line}"]


def test_addresses_of_the_ethernet_header(element, capfd):
    """FastClick's ETHER: source and destination, after the annotations; nothing without such a header."""
    arguments = "TIMESTAMP false, ETHER true, TTL true, PAINT true"
    line = f"ttl 9 {SOURCE}.5 > {TARGET}.53: udp 16"
    x = element(f"IPPrint({arguments})", before="Strip(14) -> MarkMACHeader(0) -> MarkIPHeader")
    x.send(bytes(14) + bytes(UDP_PACKET))
    assert capfd.readouterr().err == f"paint 0: {line}\n"
    x = element(f"IPPrint({arguments})", headers="ip-in-ethernet")
    x.send(bytes.fromhex("0200000000aa 020000000abc 0800") + bytes(UDP_PACKET))
    assert capfd.readouterr().err == f"paint 0: 02-00-00-00-0A-BC > 02-00-00-00-00-AA: {line}\n"


def test_label_and_timestamp(printed):
    (line,) = printed(UDP_PACKET, '"two words"')
    label, time, rest = line.split(": ", 2)
    seconds, digits = time.split(".")
    assert (label, rest) == ("two words", f"{SOURCE}.5 > {TARGET}.53: udp 16")
    assert int(seconds) > 1_600_000_000 and len(digits) in (6, 9)


def test_numbers_of_pings_in_the_order_of_the_machine(printed):
    assert printed(packet(ICMP(id=1, seq=258)), "TIMESTAMP false, SWAP false") == [PAIR + "icmp echo (256, 513)"]


def test_contents(printed):
    whole = packet(bytes(range(33, 63)), proto=89)
    data = bytes(whole)
    assert printed(whole, "TIMESTAMP false, CONTENTS HEX")[1:] == ["  " + data[:24].hex(" ", 4), "  " + data[24:48].hex(" ", -4), "  3d3e"]
    assert printed(whole, "TIMESTAMP false, CONTENTS ascii, MAXLENGTH -1")[2:] == ["  =>"]
    assert printed(whole, "TIMESTAMP false, CONTENTS HEX, NBYTES 5")[1:] == ["  45000032 00"]
    assert printed(whole, "TIMESTAMP false, CONTENTS HEX, MAXLENGTH 0")[1:] == []


@pytest.mark.parametrize(
    ("layers", "fields"),
    [
        ((UDP(), b"GET /\0index"), {}),
        ((TCP(options=[("MSS", 1460)]), b"GET /\0index"), {}),
        ((b"GET /\0index",), {"proto": 89}),
        ((b"GET /\0index",), {"proto": 6, "frag": 3}),
    ],
)
def test_payload(printed, layers, fields):
    assert printed(packet(*layers, **fields), "TIMESTAMP false, PAYLOAD ASCII")[1:] == ["  GET /.in dex"]
    assert printed(packet(*layers, **fields), "TIMESTAMP false, PAYLOAD true")[1:] == ["  47455420 2f00696e 646578"]


def test_a_tcp_header_that_says_it_is_longer_than_the_packet(printed):
    assert len(printed(packet(TCP(dataofs=15), b"x"), "TIMESTAMP false, PAYLOAD HEX")) == 1


def test_what_is_not_marked_is_not_printed(element, capfd):
    x = element("IPPrint")
    x.passes(UDP_PACKET)
    assert capfd.readouterr().err == ""


def test_active(element, capfd):
    x = element("IPPrint(TIMESTAMP false, ACTIVE false)", headers="ip")
    for active, lines in (("false", 0), ("true", 1)):
        x.write("active", active)
        x.send(UDP_PACKET)
        assert (x.read("active"), capfd.readouterr().err.count("udp 16\n")) == (active, lines)


def test_a_file(element, tmp_path, capfd):
    file = tmp_path / "log"
    file.write_text("old")
    x = element(f"IPPrint(x, TIMESTAMP false, OUTFILE {file})", headers="ip")
    x.send(UDP_PACKET)
    assert file.read_text() == f"x: {SOURCE}.5 > {TARGET}.53: udp 16\n"
    assert capfd.readouterr().err == ""


def test_a_file_that_can_not_be_made(element):
    with pytest.raises(Exception, match="'x': /nonexistent/log: No such file or directory"):
        element("IPPrint(OUTFILE /nonexistent/log)")


@pytest.mark.parametrize(("channel", "lines"), [("default", 1), ("other", 0)])
def test_channels(printed, channel, lines):
    assert len(printed(UDP_PACKET, f"CHANNEL {channel}")) == lines


MISTAKES = {
    "IPPrint(CONTENTS foo)": "bad contents value 'foo'; should be 'NONE', 'HEX', or 'ASCII'",
    "IPPrint(PAYLOAD foo)": "bad payload value 'foo'; should be 'false', 'hex', or 'ascii'",
    "IPPrint(CONTENTS hex, PAYLOAD ascii)": "specify at most one of PAYLOAD and CONTENTS",
}
