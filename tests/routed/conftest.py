"""What these tests share."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest


@pytest.fixture
def undo() -> Iterator[ExitStack]:
    """What is entered is left after the test, the last first."""
    with ExitStack() as made:
        yield made
