"""SetAnnoByte: one byte of the annotations."""


from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


def test_the_byte_is_set(element):
    x = element("SetAnnoByte(PAINT, 7)")
    x.send(FRAME)
    x.expect(0, FRAME, PAINT=7)
    assert (x.read("anno"), x.read("value")) == ("16", "7")
    x.write("value", "255")
    x.send(FRAME)
    x.expect(0, FRAME, PAINT=255)


CASES = [Case("SetAnnoByte(3, 9)", packets=200)]
