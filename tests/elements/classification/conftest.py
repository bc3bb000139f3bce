"""What tests of classifiers share."""

import pytest

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.vocabulary.library import Library


@pytest.fixture
def refusal_places():
    """The columns, from 0, that the mistakes in a configuration of one line are about."""

    def places(configuration: str) -> list[int]:
        with pytest.raises(ClickError) as error:
            check_text(configuration, Library.standard())
        return [d.place.column - 1 for d in error.value.diagnostics]

    return places
