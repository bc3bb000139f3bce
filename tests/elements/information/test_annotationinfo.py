"""AnnotationInfo: names for annotations."""

import pytest

FRAME = bytes(range(64))


def test_names_can_be_used(element):
    x = element("Paint(7, KIND)", declarations="AnnotationInfo(KIND 18 1, SAME KIND);", before="Paint(9, ANNO SAME)")
    x.send(FRAME)
    assert x.expect(0, FRAME).carried.annotations[16:20] == bytes([0, 0, 7, 0])


def test_the_size_is_checked(refused_router):
    assert "4 bytes" in refused_router("AnnotationInfo(WIDE 4 4); Idle -> Paint(1, WIDE) -> Discard;")


@pytest.mark.parametrize("entry", ["B", "B 47 4", "B 4 -1", "B PAINT 2", "B x", "B 4 1 1", "B 4 one"])
def test_bad_entries(refused_router, entry):
    assert refused_router(f"AnnotationInfo(A 1, {entry});") == "AnnotationInfo: bad entry for 'B'"


@pytest.mark.parametrize("name", ["PAINT", "5", '"a b"'])
def test_bad_names(refused_router, name):
    assert refused_router(f"AnnotationInfo({name} 3);") == f"AnnotationInfo: bad NAME '{name}'"


def test_overlaps(refused_router):
    text = "AnnotationInfo(A 0 4, B 4 2, C 5 1, D 3); AnnotationInfo(CHECK_OVERLAP A B PAINT, CHECK_OVERLAP A B C D DST_IP E);"
    assert set(refused_router(text).splitlines()) == {
        "AnnotationInfo: annotations 'B' and 'C' conflict",
        "AnnotationInfo: annotations 'A' and 'D' conflict",
        "AnnotationInfo: annotations 'A' and 'DST_IP' conflict",
        "AnnotationInfo: annotations 'D' and 'DST_IP' conflict",
        "AnnotationInfo: bad ANNO 'E'",
    }
