"""Random graphs: whatever elements are put together, both executors do the same with it."""

import os
from random import Random

import pytest

from clickbpf.compile import check_text
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.graphs import kinds, random_graph, random_router
from clickbpf.testing.record import ELEMENTS
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard((ELEMENTS,))
#: Other graphs than the usual ones: CLICKBPF_GRAPHS=1000 pytest ...
FIRST = int(os.environ.get("CLICKBPF_GRAPHS", "0"))
ROUTERS, GRAPHS, ELEMENTS_EACH, PACKETS = 4, 12, 4, 60


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("seed", [FIRST, *(pytest.param(FIRST + more, marks=pytest.mark.whole) for more in range(1, ROUTERS))])
def test_executors_agree_on_random_graphs(seed):
    """Graphs beside each other in one router cost one compilation."""
    text = random_router(seed, LIBRARY, GRAPHS, ELEMENTS_EACH)
    assert_equivalent(text, PACKETS * GRAPHS, seed=seed, patience=2)


def test_a_seed_is_a_router_without_mistakes():
    for seed in range(30):
        text = random_graph(Random(seed), LIBRARY)
        assert text == random_graph(Random(seed), LIBRARY)
        assert check_text(text, LIBRARY).router.elements


def test_all_classes_of_the_kernel_path_get_their_turn():
    """But for those that make no sense in the middle of a graph."""
    known = {kind.name for kind in kinds(LIBRARY)}
    assert {"ARPQuerier", "Classifier", "IPClassifier", "DecIPTTL", "HashSwitch", "RadixIPLookup", "IPFragmenter"} < known
    assert len(known) > 60
    text = random_router(1, LIBRARY, graphs=600)
    assert all(f":: {name}" in text for name in known)
