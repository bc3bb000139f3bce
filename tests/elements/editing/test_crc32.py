"""SetCRC32 and CheckCRC32: the sum is that of CRC-32/MPEG-2, whose check value for "123456789" is 0x0376e6e7."""


FRAME = bytes(range(64))


def test_the_check_value(element):
    x = element("SetCRC32")
    x.send(b"123456789")
    x.expect(0, b"123456789" + (0x0376E6E7).to_bytes(4, "little"))


def test_what_was_set_is_right(element):
    x = element("CheckCRC32", before="SetCRC32")
    for frame in (FRAME, b"", b"x" * 1500):
        x.send(frame)
        x.expect(0, frame)


def test_a_changed_bit_is_noticed(element, capfd):
    x = element("CheckCRC32", before="SetCRC32 -> StoreData(3, \\<fe>)")
    x.send(FRAME)
    x.expect_nothing()
    assert x.dropped("BAD_CHECKSUM") == 1
    assert "CRC32 failed, len 68" in capfd.readouterr().err
