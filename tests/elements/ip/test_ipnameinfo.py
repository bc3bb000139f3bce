"""IPNameInfo: there, and empty."""

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library


def test_it_may_stand_in_a_configuration(refused_router):
    assert check_text("IPNameInfo;", Library.standard())
    assert "too many arguments" in refused_router("IPNameInfo(3);")
