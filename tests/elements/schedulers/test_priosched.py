"""PrioSched: the first input that has a packet is pulled from."""

import pytest

from clickbpf.compile import check_text
from clickbpf.plan import plan
from clickbpf.vocabulary.library import Library

#: Everything but ARP waits for ARP.
CONFIGURATION = """
FromDevice(eth0) -> c :: Classifier(12/0806, -);
c[0] -> first :: Queue -> [0]s :: PrioSched;
c[1] -> second :: Queue -> [1]s;
s -> ToDevice(eth1);
"""


def test_a_busy_input_starves_those_behind_it(merged):
    x = merged("PrioSched", 3)
    x.fill(2, 3)
    x.fill(0, 4)
    assert x.pull(3) == [0, 0, 0]
    x.fill(1, 1)
    x.fill(0, 1)
    assert x.pull(20) == [0, 0, 1, 2, 2, 2]


def test_the_kernel_path_hands_over_at_the_queues():
    places = plan(check_text(CONFIGURATION, Library.standard())).placements
    assert [places[name].where for name in ("c", "first", "second", "s")] == ["xdp", "user", "user", "user"]


@pytest.mark.executors("native", "bpf", "live")
def test_it_works_behind_the_kernel_path(router):
    r = router(CONFIGURATION)
    for kind in ("0800", "0806", "86dd"):
        frame = bytes(12) + bytes.fromhex(kind) + bytes(46)
        r.forwards("eth0", frame, "eth1")
    r.expect_nothing()
