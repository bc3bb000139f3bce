"""AlignmentInfo: checked, and of no effect."""

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library


def test_what_click_align_writes_is_accepted():
    text = "a :: Idle -> b :: Discard; AlignmentInfo(a 4 0 4 2, b 8 2, nobody 4 0, ); AlignmentInfo(b 8 2);"
    assert check_text(text, Library.standard())


def test_mistakes(refused_router):
    text = "i :: Idle; AlignmentInfo(i 4 0); AlignmentInfo(i 4 2, i 4, i x 1, i 4 y);"
    assert refused_router(text).splitlines() == [
        "AlignmentInfo: conflicting AlignmentInfo for 'i'",
        "AlignmentInfo: expected 'ELEMENTNAME CHUNK OFFSET [CHUNK OFFSET...]'",
        "AlignmentInfo: expected CHUNK",
        "AlignmentInfo: expected OFFSET",
    ]
