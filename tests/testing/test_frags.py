"""Every class on XDP frames in several buffers, of which programs see the least that they can come in with: as in the runtime."""

from dataclasses import replace

import pytest
from tests.testing.firstbuffer import set_first_buffer
from tests.testing.test_library import BATCHES, beside, traffic

from clickbpf.testing.equivalence import assert_equivalent

pytestmark = pytest.mark.needs("root", "clang-19")

#: LINEAR_LEAST of bpf/frags.h.
LEAST = 160
#: Packets for each class.
PACKETS = 60


@pytest.fixture(autouse=True)
def _little_to_see(monkeypatch) -> None:
    set_first_buffer(monkeypatch, LEAST)


@pytest.mark.whole
@pytest.mark.parametrize("names", BATCHES, ids=lambda names: f"{names[0]} to {names[-1]}")
def test_executors_agree(names: list[str]) -> None:
    headers, mix = traffic(names[0], "ip-checked")
    mix = replace(mix, payload=8900)
    assert_equivalent(beside(names, headers, True), PACKETS * len(names), patience=3, mix=mix, executors=("native", "frags"))
