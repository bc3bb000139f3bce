"""Fixtures of this family."""

import pytest
from tests.elements.ethernet.querying import configuration


@pytest.fixture
def querier(router):
    return lambda *arguments, **named: router(configuration(*arguments, **named), simtime=True)
