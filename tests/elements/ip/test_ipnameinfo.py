"""IPNameInfo: there, and empty."""

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library


def test_it_may_stand_in_a_configuration():
    assert check_text("IPNameInfo;", Library.standard())
