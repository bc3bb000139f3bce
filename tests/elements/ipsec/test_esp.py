"""IPsecESPEncap and IPsecESPUnencap: RFC 4303."""

import pytest
from scapy.layers.inet import IP, UDP
from tests.elements.trials import Trial

from clickbpf.testing.reach import FULL, Reach
from clickbpf.testing.record import Output

pytestmark = pytest.mark.executors("native")


def esp(
    sequence: int, payload: bytes = b"data", spi: int = 0x1001, padding: bytes = b"\x01\x02", next_header: int = 4, block: int = 8
) -> bytes:
    head = spi.to_bytes(4, "big") + sequence.to_bytes(4, "big") + bytes(block)
    return head + payload + padding + bytes([len(padding), next_header])


# -- into it ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", [8, 16])
@pytest.mark.parametrize("length", [28, 29, 30, 34, 43, 44])
def test_header_and_trailer(element, block, length):
    x = element(f"IPsecESPEncap(0x1001, {block}, NEXT_HEADER ipip)")
    packet = bytes(IP() / UDP()).ljust(length, b"x")
    x.send(packet)
    sent = bytes(x.expect(0).data)
    assert sent[:8] == bytes.fromhex("0000100100000001")
    inside = sent[8 + block :]
    padding = inside[length:-2]
    assert inside[:length] == packet
    assert (len(inside) % block, len(padding) < block, padding) == (0, True, bytes(range(1, len(padding) + 1)))
    assert inside[-2:] == bytes([len(padding), 4])


def test_sequence_numbers_count_and_vectors_do_not_repeat(element):
    x = element("IPsecESPEncap(7, REPLAY 300)")
    seen = []
    for _ in range(50):
        x.send(bytes(40))
        seen.append(bytes(x.expect(0).data))
    assert [int.from_bytes(packet[4:8], "big") for packet in seen] == list(range(300, 350))
    assert len({packet[8:16] for packet in seen}) == 50


def test_without_next_header_it_is_what_the_ip_header_says(element):
    x = element("IPsecESPEncap(7)", headers="ip")
    x.send(IP() / UDP() / b"..")
    assert bytes(x.expect(0).data)[-1] == 17


# -- out of it -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def unencap(element):
    def start(arguments: str = ""):
        x = element(f"IPsecESPUnencap(SPI 0x1001{arguments})")

        def accepts(packet: bytes) -> bytes | None:
            before = x.dropped()
            x.send(packet)
            if x.dropped() > before:
                x.expect_nothing()
                return None
            return bytes(x.expect(0).data)

        accepts.dropped = x.dropped
        return accepts

    return start


@pytest.mark.parametrize("padding", [b"", b"\x01", bytes(range(1, 256))])
def test_what_was_inside_comes_out(unencap, padding):
    accepts = unencap()
    assert accepts(esp(1, b"some more data", padding=padding)) == b"some more data"


def test_a_vector_of_16_bytes(unencap):
    assert unencap(", BLOCK 16")(esp(1, b"some more data", block=16)) == b"some more data"


@pytest.mark.parametrize(
    "packet",
    [
        esp(1)[:17],
        esp(1, padding=b"\x01\x03"),
        esp(1, padding=b"\x00\x00"),
        esp(1, b"", padding=b"")[:-2] + b"\x01\x04",
        esp(1, b"", padding=b"\x01\x02\x03")[:-2] + b"\xff\x04",
    ],
)
def test_cut_packets_and_wrong_padding(unencap, packet):
    accepts = unencap()
    assert accepts(packet) is None
    assert accepts.dropped("MALFORMED") == 1


def test_other_associations_and_other_contents(unencap):
    accepts = unencap(", NEXT_HEADER ipip")
    assert accepts(esp(1, spi=0x1002)) is None
    assert accepts.dropped("NO_ASSOCIATION") == 1
    assert accepts(esp(2, next_header=17)) is None
    assert accepts.dropped("FILTERED") == 1
    assert accepts(esp(3, next_header=59)) is None
    assert accepts.dropped("DISCARDED") == 1
    assert accepts(esp(4)) == b"data"


def test_replays(unencap):
    """RFC 4303, 3.4.3: a number is accepted once; late ones while they are in the window."""
    accepts = unencap(", WINDOW 32")
    wanted = {
        1: True, 2: True, 5: True, 3: True, 4: True, 100: True, 69: True, 101: True, 0xFFFFFFF0: True, 0xFFFFFFFF: True,
    }  # fmt: skip
    for sequence in wanted:
        assert accepts(esp(sequence)) == b"data", sequence
        assert accepts(esp(sequence)) is None, sequence
    for sequence in (0, 1, 2, 101, 0xFFFFFFFF - 32):
        assert accepts(esp(sequence)) is None, sequence
    assert accepts(esp(0xFFFFFFFF - 31)) == b"data"
    assert accepts.dropped("REPLAYED") == len(wanted) + 5


def test_without_a_window_only_what_is_later(unencap):
    accepts = unencap(", WINDOW 0")
    assert [accepts(esp(sequence)) is not None for sequence in (2, 3, 5, 4, 5, 6)] == [True, True, True, False, False, True]


@pytest.mark.parametrize("block", [8, 16])
def test_there_and_back(router, block):
    r = router(
        f"FromDevice(in0) -> IPsecESPEncap(9, {block}, NEXT_HEADER ipip)"
        f" -> IPsecESPUnencap(SPI 9, BLOCK {block}) -> Queue -> ToDevice(out0);"
    )
    for length in range(14, 100):
        packet = bytes(range(length))
        assert r.send("in0", packet) == [Output("out0", packet)]


TRIALS = {
    # RFC 4303, 3.3.3: with the same keys a number must not come twice.
    "numbers do not begin again": Trial("IPsecESPEncap(7, REPLAY 0xffffffff)").gives(bytes(40)).drops(bytes(40), reason="EXPIRED"),
}

PUNTS = [Reach("IPsecEncap(50)", before=f"SetIPAddress(2.0.0.2) -> {FULL}")]
