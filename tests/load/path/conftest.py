"""A router on TC between two hosts, attached in each of the ways that kernels have, or in the one of this kernel."""

from collections.abc import Iterator

import pytest
from tests.axes import axis
from tests.load.lan import PREPARE, Lan

from clickbpf.testing.netns import Network


@pytest.fixture(params=axis(*PREPARE))
def lan(request, net: Network) -> Iterator[Lan]:
    made = Lan(net, request.param)
    yield made
    made.unload()


@pytest.fixture
def lan_by_tcx(net: Network) -> Iterator[Lan]:
    made = Lan(net, "tcx")
    yield made
    made.unload()
