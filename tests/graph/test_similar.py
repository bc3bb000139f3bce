"""Names that may have been meant."""

import time

import pytest

from clickbpf.graph.similar import SimilarNames


@pytest.mark.parametrize("name, found", [("discard", "Discard"), ("Discrad", "Discard"), ("c12", "c3"), ("7", None), ("Elsewhere", None)])
def test_case_letters_and_numbers_may_differ(name, found):
    assert next(iter(SimilarNames()(name, ["Discard", "Queue", "c3"])), None) == found


def test_a_long_name_takes_no_longer_than_it_is():
    begin = time.process_time()
    assert SimilarNames()("9" * 100_000 + "x", ["c3", "Queue"] * 200) == []
    assert time.process_time() - begin < 2
