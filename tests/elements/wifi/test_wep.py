"""WEP (IEEE 802.11, 12.3.2), against RC4 as RFC 6229 shows it and zlib's CRC-32."""

import zlib

import pytest
from tests.elements.trials import Trial
from tests.elements.wifi.frames import AUTHENTICATION, BEACON, DATA, frame

pytestmark = pytest.mark.executors("native")

KEYS = {'"\\<01 02 03 04 05>"': bytes((1, 2, 3, 4, 5)), "hello": b"hello", "0123456789ABC": b"0123456789ABC", '""': b""}
HEADER, VECTOR, CHECKSUM, PROTECTED = 24, 3, 4, 0x40


def rc4(key: bytes, data: bytes) -> bytes:
    at, j = list(range(256)), 0
    for i in range(256):
        j = (j + at[i] + key[i % len(key)]) % 256
        at[i], at[j] = at[j], at[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + at[i]) % 256
        at[i], at[j] = at[j], at[i]
        out.append(byte ^ at[(at[i] + at[j]) % 256])
    return bytes(out)


def protected(plain: bytes, key: bytes, vector: bytes = b"\1\2\3", key_id: int = 0) -> bytes:
    """A frame as WEP encrypts it."""
    header, body = plain[:HEADER], plain[HEADER:]
    header = header[:1] + bytes([header[1] | PROTECTED]) + header[2:]
    return header + vector + bytes([key_id]) + rc4(vector + key, body + zlib.crc32(body).to_bytes(4, "little"))


def test_rc4_as_in_rfc_6229():
    assert rc4(bytes((1, 2, 3, 4, 5)), bytes(16)).hex() == "b2396305f03dc027ccc3524a0a1118a8"


@pytest.mark.parametrize("text", KEYS)
@pytest.mark.parametrize("body", [b"", b"x", b"some data " * 90])
def test_encryption(element, text, body):
    x = element(f"WepEncap({text}, KEYID 2, ACTIVE true)")
    plain = frame(DATA, body)
    seen = set()
    for _ in range(8):
        x.send(plain)
        sent = x.expect(0).data
        vector = sent[HEADER : HEADER + VECTOR]
        assert sent == protected(plain, KEYS[text], vector, 2)
        seen.add(vector)
    assert len(seen) > 1


def test_what_is_encrypted(element):
    x = element("WepEncap(hello, ACTIVE true)")
    for control, is_encrypted in ((DATA, True), (AUTHENTICATION, True), (BEACON, False), (0xB4, False), (0x88, True)):
        x.send(frame(control, b"body"))
        assert (len(x.expect(0).data) == HEADER + 4 + 8) == is_encrypted
    x.passes(frame(DATA)[:23])
    x.write("active", "false")
    x.passes(frame(DATA, b"body"))


@pytest.mark.parametrize("text", KEYS)
@pytest.mark.parametrize("body", [b"", b"x", b"some data " * 90])
def test_decryption(element, text, body):
    x = element(f"WepDecap({text}, 2)")
    plain = frame(DATA, body)
    x.gives(protected(plain, KEYS[text], b"\xff\0\7", 2), plain)
    other = protected(plain, KEYS[text], key_id=1)
    for passes in (plain, other, plain[:1], other[:31]):
        x.passes(passes)


def test_a_wrong_checksum(element, capfd):
    """As in Click, the body is decrypted, the checksum isn't."""
    x = element("WepDecap(hello)")
    sent = bytearray(protected(frame(DATA, b"body"), b"hello"))
    sent[-1] ^= 1
    x.gives(bytes(sent), bytes(sent[: HEADER + 4]) + b"body" + bytes(sent[-4:]))
    right = zlib.crc32(b"body")
    wrong = right ^ 1 << 24
    inverse = 0xFFFFFFFF
    assert capfd.readouterr().err == f"crc failed keyid 0 iv {0x030201} {right ^ inverse:x} wanted {wrong ^ inverse:x} {wrong:x}\n"


TRIALS = {
    "keys can be changed": Trial("WepDecap(hello)")
        .reads(key="\\<68656C6C6F>\n", keyid="0\n", debug="false\n").write("key", '"\\<0102030405>"').write("keyid", "3")
        .gives(protected(frame(DATA, b"body"), bytes((1, 2, 3, 4, 5)), key_id=3), frame(DATA, b"body"))
        .refuses("key", "x" * 17, "17 bytes").reads(key="\\<0102030405>\n"),
}

MISTAKES = {f"WepEncap({'x' * 17})": "KEY is 17 bytes long"}
