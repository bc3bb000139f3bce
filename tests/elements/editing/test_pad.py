"""Pad: packets grow to a length, or to the one they had."""


from clickbpf.testing.cases import Case

FRAME = bytes(range(1, 65))


def test_shorter_packets_grow(element):
    x = element("Pad(70)")
    x.send(FRAME)
    x.expect(0, FRAME + bytes(6))
    x.send(FRAME + FRAME)
    x.expect(0, FRAME + FRAME)


def test_without_a_length_packets_grow_to_what_they_were(element):
    x = element("Pad", before="Truncate(30)")
    x.send(FRAME)
    x.expect(0, FRAME[:30] + bytes(34), EXTRA_LENGTH=0)
    x.send(FRAME[:29])
    x.expect(0, FRAME[:29])


def test_with_a_length_the_annotation_is_forgotten(element):
    x = element("Pad(32)", before="Truncate(30)")
    x.send(FRAME)
    x.expect(0, FRAME[:30] + bytes(2), EXTRA_LENGTH=0)


def test_bytes_that_are_not_cleared_are_there_all_the_same(element):
    x = element("Pad(3000, ZERO false)")
    x.send(FRAME)
    seen = x.expect(0)
    assert len(seen.data) == 3000 and seen.data.startswith(FRAME)


CASES = [Case("Pad", before="Truncate(50)")]
