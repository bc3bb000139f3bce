"""Tables have the room that their manual pages promise, whatever the number is: twice CAPACITY."""

import pytest

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library


def places(text: str, state: str, inside: str | None) -> int:
    """How many entries fit into the state of the element that the text makes."""
    lines = "Idle -> [0] x [0] -> Discard; Idle -> [1] x [1] -> Discard;"
    element = check_text(f"x :: {text}; {lines}", Library.standard()).instances["x"]
    kind = element.state_types[state]
    return kind.entries(element, 1) * (len(getattr(kind.struct(), inside)) if inside else 1)


@pytest.mark.parametrize("number", [1, 2, 3, 8, 9, 16, 19, 33, 1000, 1025])
@pytest.mark.parametrize(
    "text, state, inside",
    [
        ("IP6FlowFilter(CAPACITY {})", "buckets", "hash"),
        ("EtherSwitch(CAPACITY {})", "table", "host"),
        ("SnoopingEtherSwitch(GROUPS {})", "groups", None),
    ],
)
def test_there_is_twice_the_room(number, text, state, inside):
    assert places(text.format(number), state, inside) >= 2 * number
