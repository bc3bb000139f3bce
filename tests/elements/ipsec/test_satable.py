"""SATable: of no effect."""

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library


def test_it_is_accepted():
    assert "t" in check_text("t :: SATable;", Library.standard()).router
