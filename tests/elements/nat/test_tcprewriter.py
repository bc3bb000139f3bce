"""TCPRewriter and FTPPortMapper: flows of TCP, and streams that get longer or shorter (RFC 959 for PORT, RFC 2018 for SACK)."""

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from tests.elements.nat.packets import PEER, tcp, udp

CLIENT, PUBLIC = "200.200.200.200", "1.0.0.1"
FTP = """
    x :: TCPRewriter(pattern 1.0.0.1 1024-65535# - - 0 1, drop, REPLY_ANNO PAINT);
    FromDevice(in0) -> Strip(14) -> CheckIPHeader -> Paint(3) -> ftp :: FTPPortMapper(x, x, 0) -> [0] x;
    FromDevice(in1) -> Strip(14) -> CheckIPHeader -> [1] x;
    x[0] -> EtherEncap(0x0800, 0:0:0:0:0:1, 0:0:0:0:0:2) -> Queue -> ToDevice(out0);
    x[1] -> EtherEncap(0x0800, 0:0:0:0:0:1, 0:0:0:0:0:2) -> Queue -> ToDevice(out1);
"""


@pytest.fixture
def ftp(router):
    return router(FTP)


def sent(packet):
    return Ether(src="00:00:00:00:00:01", dst="00:00:00:00:00:02") / packet


def there(seq: int, data: bytes = b"", ack: int = 0, port: int = 30):
    return tcp(CLIENT, port, PEER, 21, data=data, seq=seq, ack=ack)


def rewritten(seq: int, data: bytes = b"", ack: int = 0):
    return sent(tcp(PUBLIC, 1024, PEER, 21, data=data, seq=seq, ack=ack))


def back(ack: int, **fields):
    return tcp(PEER, 21, PUBLIC, 1024, seq=0, ack=ack, **fields)


def returned(ack: int, **fields):
    return sent(tcp(PEER, 21, CLIENT, 30, seq=0, ack=ack, **fields))


def test_only_tcp_is_rewritten(element):
    x = element("TCPRewriter(pattern 1.0.0.1 1024-65535# - - 0 1, pass 1)", 2, 2, headers="ip-checked")
    x.gives(tcp("10.0.0.9", 30), tcp(PUBLIC, 1024))
    x.drops(udp("10.0.0.9", 30))
    x.passes(udp("10.0.0.9", 30), output=1, input=1)
    assert x.read("table") == x.read("mappings")
    assert len(x.read("table").splitlines()) == 2


def test_a_port_command_opens_a_flow_and_moves_sequence_numbers(ftp):
    """Click's example: the command gets 12 bytes shorter."""
    ftp.send("in0", Ether() / there(0, b"x"))
    ftp.expect("out0", rewritten(0, b"x"))
    ftp.send("in0", Ether() / there(1, b"PORT 200,200,200,200,200,200\n"))
    ftp.expect("out0", rewritten(1, b"PORT 1,0,0,1,4,1\n"))
    ftp.send("in0", Ether() / there(30, b"fubar\n"))
    ftp.expect("out0", rewritten(18, b"fubar\n"))
    # A repetition of what was before stays where it was; acknowledgements are moved back, but for those of old data.
    ftp.send("in0", Ether() / there(0, b"x"))
    ftp.expect("out0", rewritten(0, b"x"))
    for ack, original in ((0, 0), (1, 1), (18, 30), (24, 36)):
        ftp.send("in1", Ether() / back(ack))
        ftp.expect("out1", returned(original))
    table = ftp.read("x.table").splitlines()
    assert table[0].startswith("(200.200.200.200, 30, 8.8.8.8, 21) => (1.0.0.1, 1024, 8.8.8.8, 21) seq -12 [*0 1] i0 exp")
    assert table[2].startswith("(200.200.200.200, 51400, 8.8.8.8, 20) => (1.0.0.1, 1025, 8.8.8.8, 20) [*0 1] i0 exp")
    # The server's data connection gets through.
    ftp.send("in1", Ether() / tcp(PEER, 20, PUBLIC, 1025, flags="S"))
    ftp.expect("out1", sent(tcp(PEER, 20, CLIENT, 51400, flags="S")))


def test_a_repeated_command_is_moved_once_and_two_commands_twice(ftp):
    ftp.send("in0", Ether() / there(0))
    ftp.expect("out0")
    for _ in range(2):
        ftp.send("in0", Ether() / there(1, b"port 200,200,200,200,200,200\r\n"))
        ftp.expect("out0", rewritten(1, b"port 1,0,0,1,4,1\r\n"))
    ftp.send("in0", Ether() / there(31, b"PORT 200,200,200,200,200,201\r\n"))
    ftp.expect("out0", rewritten(19, b"PORT 1,0,0,1,4,2\r\n"))
    ftp.send("in0", Ether() / there(61))
    ftp.expect("out0", rewritten(37))
    ftp.send("in0", Ether() / there(1_100_000_000))
    ftp.expect("out0", rewritten(1_099_999_976))


def test_selective_acknowledgements_are_moved_at_any_alignment(ftp):
    ftp.send("in0", Ether() / there(0))
    ftp.send("in0", Ether() / there(1, b"PORT 200,200,200,200,200,200\n"))
    ftp.expect("out0")
    ftp.expect("out0")
    for front in ([("NOP", None)] * 2, [("NOP", None)], []):
        behind = [("NOP", None)] * (2 - len(front))
        ftp.send("in1", Ether() / back(1, options=[*front, ("SAck", (18, 24)), *behind]))
        ftp.expect("out1", returned(1, options=[*front, ("SAck", (30, 36)), *behind]))


@pytest.mark.parametrize(
    "command",
    [
        b"PORT 200,200,200,201,200,200\r\n",
        b"PORT 200,200,200,200,5\r\n",
        b"PORT 200,200,200,200,5,256\r\n",
        b"PORT 200,200,200,200,5,6",
        b"PORT a\r\n",
        b"PORTS\r\n",
        b"PO",
    ],
)
def test_what_is_no_command_passes(ftp, command):
    ftp.send("in0", Ether() / there(0))
    ftp.expect("out0")
    ftp.send("in0", Ether() / there(1, command))
    ftp.expect("out0", rewritten(1, command))
    assert ftp.read("x.table_size") == "1"


def test_what_the_other_end_names_is_mapped(ftp):
    """As in Click's own test."""
    ftp.send("in0", Ether() / there(0))
    ftp.expect("out0")
    ftp.send("in0", Ether() / back(0, data=b"PORT 100,100,100,100,100,100\n"))
    ftp.expect("out1", returned(0, data=b"PORT 1,0,0,1,4,1\n"))


def test_a_command_of_an_unknown_connection_passes(ftp):
    ftp.send("in0", Ether() / there(1, b"PORT 200,200,200,200,200,200\r\n"))
    ftp.expect("out0", rewritten(1, b"PORT 200,200,200,200,200,200\r\n"))


def test_mistakes(refused_router):
    text = "x :: {0}(keep 0 0); Idle -> f :: FTPPortMapper({1}) -> x -> Discard;"
    assert "not a TCPRewriter or IPRewriter" in refused_router(text.format("UDPRewriter", "x, x, 0"))
    assert "DATA_REWRITER_INPUT out of range" in refused_router(text.format("TCPRewriter", "x, x, 1"))
    assert "not a rewriter" in refused_router(text.format("TCPRewriter", "x, f, 0"))


def test_checksums_hold_whatever_the_data(ftp):
    """Those of the packets that come out are right if scapy finds the same."""
    ftp.send("in0", Ether() / there(0))
    ftp.expect("out0")
    for number in range(0, 65536, 4099):
        port = f"PORT 200,200,200,200,{number >> 8},{number & 255}\r\n".encode()
        output = ftp.executor.send("in0", bytes(Ether() / there(1, port)))[0]
        packet = IP(output.data[14:])
        again = packet.copy()
        del again[IP].chksum, again[TCP].chksum, again[IP].len
        assert bytes(again) == bytes(packet)


@pytest.mark.executors("native")
def test_a_thousand_commands_leave_no_list_behind(ftp):
    """Eight changes are remembered. What is repeated from before them gets the difference of the oldest."""
    command, shorter = b"PORT 200,200,200,200,200,200\n", 12
    ftp.send("in0", Ether() / there(0))
    ftp.expect("out0", rewritten(0))
    for number in range(1000):
        ftp.send("in0", Ether() / there(1 + len(command) * number, command))
        ftp.expect("out0")
    end = 1 + len(command) * 1000
    ftp.send("in0", Ether() / there(end))
    ftp.expect("out0", rewritten(end - 1000 * shorter))
    for commands_ago in (1, 6):
        ftp.send("in0", Ether() / there(end - commands_ago * len(command)))
        ftp.expect("out0", rewritten(end - commands_ago * len(command) - (1000 - commands_ago) * shorter))
    ftp.send("in0", Ether() / there(1))
    ftp.expect("out0", rewritten((1 - 993 * shorter) % (1 << 32)))


@pytest.mark.executors("native")
def test_a_control_connection_does_not_make_room_for_its_data(router):
    r = router(FTP.replace("REPLY_ANNO PAINT", "REPLY_ANNO PAINT, MAPPING_CAPACITY 1"))
    r.forwards("in0", Ether() / there(0), "out0", rewritten(0))
    command = b"PORT 200,200,200,200,200,200\n"
    for _ in range(2):
        r.forwards("in0", Ether() / there(1, command), "out0", rewritten(1, command))
    assert r.read("x.table_size") == "1"
    r.forwards("in0", Ether() / there(1 + len(command), b"x"), "out0", rewritten(1 + len(command), b"x"))
    r.forwards("in1", Ether() / back(1), "out1", returned(1))
