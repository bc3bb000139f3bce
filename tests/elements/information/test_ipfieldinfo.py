"""IPFieldInfo: of no effect; the names are there without it."""

import pytest

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library

FIELDS = "Idle -> AggregateIP(ip src) -> AggregateIP(tcp dport) -> Discard;"


@pytest.mark.parametrize("text", ["IPFieldInfo;", "i :: IPFieldInfo();", ""])
def test_it_changes_nothing(text):
    assert check_text(text + FIELDS, Library.standard())
