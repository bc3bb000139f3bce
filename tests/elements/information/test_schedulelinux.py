"""ScheduleLinux: of no effect."""

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library


def test_it_is_accepted_and_can_be_given_turns():
    text = "a :: InfiniteSource -> Discard; l :: ScheduleLinux; ScheduleInfo(l 0.5);"
    assert "l" in check_text(text, Library.standard()).router
