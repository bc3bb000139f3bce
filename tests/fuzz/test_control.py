"""A moment of the fuzzer of the ControlSocket protocol, each time with the same."""

from itertools import islice

import pytest
from tests.fuzz.control import Target, check_answers, inputs


def test_every_command_is_answered():
    with Target() as target:
        for said in islice(inputs(1), 400):
            target.try_one(said)
        assert target.runtime.handlers.read("c", "count") == "0"


@pytest.mark.parametrize("heard", [b"what?\r\n", b"200 OK", b"200 OK\r\nDATA 5\r\nabc"])
def test_what_is_no_answer_is_seen(heard):
    with pytest.raises(AssertionError):
        check_answers(b"Click::ControlSocket/1.3\r\n" + heard)
