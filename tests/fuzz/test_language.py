"""A moment of the fuzzers of configurations, each time with the same."""

from itertools import islice
from pathlib import Path

import pytest
from tests.fuzz.language import inputs, sound, try_one

COUNT = 250
KEPT = sorted((Path(__file__).parent / "kept").glob("*.click"))


def test_what_is_nearly_a_configuration_is_taken_or_refused():
    refused = 0
    for text in islice(inputs(1), COUNT):
        refused += try_one(text)
    assert COUNT // 10 < refused < COUNT, "some of both"


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_what_was_found_once_is_refused(path: Path):
    assert try_one(path.read_text())


def test_what_it_begins_with_is_sound():
    files = [text for text in sound() if "FromDevice" in text][:20]
    assert len(files) == 20 and sum(try_one(text) for text in files) < 5
