"""Truncate: packets keep their first bytes; what they lose is noted."""


from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

FRAME = bytes(range(64))


def test_longer_packets_lose_their_end(element):
    x = element("Truncate(40)")
    x.send(FRAME)
    x.expect(0, FRAME[:40], EXTRA_LENGTH=24)
    x.send(FRAME[:40])
    x.expect(0, FRAME[:40], EXTRA_LENGTH=0)


def test_what_is_lost_adds_up(element):
    x = element("Truncate(20)", before="Truncate(50)")
    x.send(FRAME)
    x.expect(0, FRAME[:20], EXTRA_LENGTH=44)


def test_the_length_can_be_written_and_the_annotation_left_alone(element):
    x = element("Truncate(40, EXTRA_LENGTH false)")
    x.write("nbytes", 5)
    assert x.read("nbytes") == "5"
    x.send(FRAME)
    x.expect(0, FRAME[:5], EXTRA_LENGTH=0)
    x.write("nbytes", 0)
    x.send(FRAME)
    x.expect(0, b"")


CASES = [
    # 14 bytes is the shortest frame that the kernel can make.
    *(Case(f"Truncate({length})") for length in [14, 13]),
]


#: What the kernel path gives up, beside what the manual page's example does.
PUNTS = [Reach("Truncate(13)")]


def test_what_was_cut_off_is_out_of_reach(element):
    x = element("Classifier(29/61, -)", noutputs=2, before="Truncate(30)")
    x.send(b"a" * 64)
    x.expect(0, b"a" * 30)
    x = element("Classifier(30/61, -)", noutputs=2, before="Truncate(30)")
    x.send(b"a" * 64)
    x.expect(1, b"a" * 30)
