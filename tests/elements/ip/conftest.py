"""What tests of IP elements share."""

import pytest

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.vocabulary.library import Library


@pytest.fixture
def refused():
    """refused("DecIPTTL(7)") is what is said about an element with wrong arguments: message and hint of each mistake."""

    def mistakes(element: str, outputs: int = 1) -> str:
        ends = "".join(f"x[{port}] -> Discard;" for port in range(outputs))
        with pytest.raises(ClickError) as error:
            check_text(f"x :: {element}; Idle -> x; {ends}", Library.standard())
        return "\n".join(f"{d.place}: {d.message} {d.hint or ''}" for d in error.value.diagnostics)

    return mistakes
