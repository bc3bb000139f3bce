"""PushNull: a Null that may only be pushed through."""

import pytest

from clickbpf.errors import ClickError
from clickbpf.testing.cases import Case

CASES = [Case("PushNull", before="Paint(7)", headers="ip", packets=200)]


def test_nobody_pulls_through_it(router):
    with pytest.raises(ClickError, match="pull output 0 of 'Queue@2' is connected to push input 0 of 'PushNull@3'"):
        router("FromDevice(eth0) -> Queue -> PushNull -> Discard;")
