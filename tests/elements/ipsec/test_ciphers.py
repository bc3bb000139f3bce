"""IPsecAES, IPsecDES and the digests: test vectors of their standards, and packets that Click's own elements made."""

import hashlib
import hmac

import pytest

AES_KEY, DIGEST_KEY = "ABCDEFFF001DEFD2354550FE40CD708E", "112233EE556677888877665544332211"
DES_KEY = AES_KEY[:16]
#: Header, initialisation vector, IP packet, padding: what Click puts together from packets of 28 and of 36 bytes.
SHORT = "4500001c000100004011 00000a0000010a080002 0001000200080000 01020211"
LONG = "45000024000100004011 00000a0000010a080002 0001000200080000 0011223344556677 01020211"

pytestmark = pytest.mark.executors("native")


def esp(vector: str, payload: str, digest: str = "") -> bytes:
    return bytes.fromhex("000000ea0000012c" + vector + payload + digest)


@pytest.fixture
def through(element):
    """through("IPsecAES(1, ...)", packet): what leaves the element."""

    def send(text: str, packet: bytes) -> bytes:
        x = element(text)
        x.send(packet)
        return bytes(x.expect(0).data)

    return send


# -- AES -------------------------------------------------------------------------------------------------------------------

#: RFC 3602, section 4, cases 1 and 2: key, vector, plain, encrypted.
RFC3602 = [
    ("06a9214036b8a15b512e03d534120006", "3dafba429d9eb430b422da802c9fac41", b"Single block msg".hex(), "e353779c1079aeb82708942dbe77181a"),
    (
        "c286696d887c9aa0611bbb3e2025a45a",
        "562e17996d093d28ddb3ba695a2e6f58",
        bytes(range(32)).hex(),
        "d296cd94c2cccf8a3a863028b5e1dc0a7586602d253cfff91b8266bea6d61ab1",
    ),
]


@pytest.mark.parametrize(("key", "vector", "plain", "secret"), RFC3602)
def test_aes_in_cipher_block_chaining_mode(through, key, vector, plain, secret):
    assert through(f"IPsecAES(1, {key}, IGNORE 0, BLOCK 16)", esp(vector, plain)) == esp(vector, secret)
    assert through(f"IPsecAES(0, {key}, IGNORE 0, BLOCK 16)", esp(vector, secret)) == esp(vector, plain)
    digest = "00112233445566778899aabb"
    assert through(f"IPsecAES(1, {key}, BLOCK 16)", esp(vector, plain, digest)) == esp(vector, secret, digest)


#: Made by Click: vector, plain and digest, the same encrypted. The second isn't a multiple of 16 bytes, and takes 8 of the digest.
CLICK_AES = [
    (
        "7ccc83144ff58110",
        SHORT + "1b0e90ff5e26934678c45372",
        "1d14215c5cf5b3093cd762b0ed7b39d16a6ec0f3c0a297a049b5fdb00642c22d" + "1b0e90ff5e26934678c45372",
    ),
    (
        "3e613e0127040d08",
        LONG + "95bff0f546672a5452748fe5",
        "f6673cd7fd228b398630815256bdf9a862ef4f93c05291a0c29d2d1c3dadaa327c0e154f95a5433bd7ad012c1f355f31" + "52748fe5",
    ),
]


@pytest.mark.parametrize(("vector", "plain", "secret"), CLICK_AES)
def test_aes_as_click_has_it(through, vector, plain, secret):
    assert through(f"IPsecAES(1, {AES_KEY})", esp(vector, plain)) == esp(vector, secret)
    assert through(f"IPsecAES(0, {AES_KEY})", esp(vector, secret)) == esp(vector, plain)


@pytest.mark.parametrize("length", [24, 32])
def test_longer_keys(through, length):
    key = bytes(range(length)).hex()
    secret = through(f"IPsecAES(1, {key}, 0, BLOCK 16)", esp("00" * 16, "11" * 48))
    assert secret != through(f"IPsecAES(1, {key[:32]}, 0, BLOCK 16)", esp("00" * 16, "11" * 48))
    assert through(f"IPsecAES(0, {key}, 0, BLOCK 16)", secret) == esp("00" * 16, "11" * 48)


# -- DES -------------------------------------------------------------------------------------------------------------------

#: FIPS 81, table C1 (cipher block chaining).
FIPS81 = ("0123456789abcdef", "1234567890abcdef", b"Now is the time for all ".hex(), "e5c7cdde872bf27c43e934008c389c0f683788499a7c05f6")


def test_des_in_cipher_block_chaining_mode(through):
    key, vector, plain, secret = FIPS81
    for des in (f"{key}", f"\\<{key * 3}>"):
        assert through(f"IPsecDES(1, {des}, 0)", esp(vector, plain)) == esp(vector, secret)
        assert through(f"IPsecDES(0, {des}, 0)", esp(vector, secret)) == esp(vector, plain)


def test_des_as_click_has_it(through):
    plain, secret = (
        SHORT + "a290ed156a4408e47e3e080f",
        "943322432671025dcba881f52c4073684e5026fa4054ef1c19cf13a8b6293331" + "a290ed156a4408e47e3e080f",
    )
    assert through(f"IPsecDES(1, {DES_KEY})", esp("553ce00e8d953b1b", plain)) == esp("553ce00e8d953b1b", secret)


def test_3des_is_des_three_times(through):
    """One block with a vector of zeros is the block by itself: encrypted, decrypted and encrypted (FIPS 46-3)."""
    one, two, three = "0123456789abcdef", "23456789abcdef01", "456789abcdef0123"
    block = esp("00" * 8, "5468652071756663")
    step = block
    for encrypt, key in ((1, one), (0, two), (1, three)):
        step = through(f"IPsecDES({encrypt}, {key}, 0)", step)
    assert through(f"IPsecDES(1, {one + two + three}, 0)", block) == step


# -- digests ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "data", "digest"),
    [
        # RFC 2202, section 3, cases 3 and 6 (of its longer keys one is rejected here); then Click's.
        ("aa" * 20, "dd" * 50, "125d7342b9ac11cd91a39af4"),
        (DIGEST_KEY, "000000ea0000012c7ccc83144ff58110" + SHORT, "1b0e90ff5e26934678c45372"),
    ],
)
def test_hmac_sha1_of_96_bits(through, key, data, digest):
    signed = through(f"IPsecAuthHMACSHA1(0, {key})", bytes.fromhex(data))
    assert signed == bytes.fromhex(data + digest)
    assert through(f"IPsecAuthHMACSHA1(1, {key})", signed) == bytes.fromhex(data)


@pytest.mark.parametrize("length", [16, 20, 32, 64])
def test_digest_keys(through, length):
    key, data = bytes(range(length)), bytes(100)
    assert through(f"IPsecAuthHMACSHA1(0, {key.hex()})", data) == data + hmac.digest(key, data, "sha1")[:12]


def test_sha1_without_a_key(through):
    data = esp("c5ce2e1dca1dfa1a", LONG)
    assert through("IPsecAuthSHA1(0)", data) == data + bytes.fromhex("a0031e8d398680a6a48a8316")
    assert through("IPsecAuthSHA1(1)", data + hashlib.sha1(data).digest()[:12]) == data


@pytest.mark.parametrize("class_", ["IPsecAuthSHA1(1)", f"IPsecAuthHMACSHA1(1, {DIGEST_KEY})"])
def test_wrong_digests(element, class_):
    x = element(class_, noutputs=2)
    x.passes(bytes(64), output=1)
    assert (x.read("drops"), x.dropped()) == ("1", 0)
    x.send(bytes(64))
    assert x.read("drops") == "2"


def test_wrong_digests_are_dropped_where_nobody_wants_them(element):
    x = element(f"IPsecAuthHMACSHA1(1, {DIGEST_KEY})")
    good = bytes(50) + hmac.digest(bytes.fromhex(DIGEST_KEY), bytes(50), "sha1")[:12]
    for bit in (0, 100, 8 * 50, 8 * 61 + 7):
        forged = bytearray(good)
        forged[bit // 8] ^= 1 << bit % 8
        x.send(bytes(forged))
    x.expect_nothing()
    x.gives(good, bytes(50))
    assert (x.dropped("UNAUTHENTIC"), x.read("drops")) == (4, "4")


def test_packets_too_short_for_a_digest(router):
    r = router("FromDevice(in0) -> Truncate(11) -> x :: IPsecAuthSHA1(1) -> Queue -> ToDevice(out0);")
    r.send("in0", bytes(60))
    assert r.dropped("x", "MALFORMED") == 1


@pytest.mark.parametrize(
    ("element", "message"),
    [
        ("IPsecAES(1, 0123)", "key has bad length"),
        (f"IPsecDES(1, {AES_KEY})", "key has bad length"),
        (f"IPsecAES(1, {AES_KEY}, BLOCK 12)", "BLOCK"),
    ],
)
def test_arguments(refused, element, message):
    assert message in refused(element)
