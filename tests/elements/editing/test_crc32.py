"""SetCRC32 and CheckCRC32: the sum is that of CRC-32/MPEG-2, whose check value for "123456789" is 0x0376e6e7."""

from tests.elements.trials import Trial

FRAME = bytes(range(64))


def test_a_changed_bit_is_noticed(element, capfd):
    x = element("CheckCRC32", before="SetCRC32 -> StoreData(3, \\<fe>)")
    x.drops(FRAME)
    assert x.dropped("BAD_CHECKSUM") == 1
    assert "CRC32 failed, len 68" in capfd.readouterr().err


TRIALS = {
    "the check value": Trial("SetCRC32").gives(b"123456789", b"123456789" + (0x0376E6E7).to_bytes(4, "little")),
    "what was set is right": Trial("CheckCRC32", before="SetCRC32").passes(FRAME, b"", b"x" * 1500),
}
