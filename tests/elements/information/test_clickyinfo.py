"""ClickyInfo: whatever it says."""

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library


def test_anything_is_accepted():
    assert check_text('ClickyInfo("Queue { color: red }", , FOO bar); ClickyInfo;', Library.standard())
