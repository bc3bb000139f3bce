"""DevirtualizeInfo: whatever it says, as in Click."""

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library


def test_anything_is_accepted():
    assert check_text("i :: Idle; DevirtualizeInfo(i, , nobody 3, \"FOO bar\"); DevirtualizeInfo;", Library.standard())
