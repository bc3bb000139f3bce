"""RandomSeed: equal seeds, equal chances – in the runtime."""

import pytest

from clickbpf.errors import ClickError


def draws(router, count: int = 40) -> list[bool]:
    """Which of the packets a RandomSample of one half lets through."""
    passed = []
    for _ in range(count):
        before = router.read("c.count")
        router.send("eth0", bytes(60))
        passed.append(router.read("c.count") != before)
    return passed


def sample(seed: str) -> str:
    return f"seed :: RandomSeed({seed}); FromDevice(eth0) -> RandomSample(0.5) -> c :: Counter -> Discard;"


@pytest.mark.executors("native")
def test_equal_seeds_draw_equal_numbers(router):
    """That two seeds agree in 40 draws by chance happens once in 10^12."""
    first, second, other, unknown = (draws(router(sample(seed))) for seed in ("42", "42", "43", ""))
    assert first == second
    assert other != first and unknown != first and True in first and False in first


@pytest.mark.executors("native")
def test_the_seed_can_be_set_again(router):
    x = router(sample("7"))
    first = draws(x)
    assert x.read("seed.seed") == "7"
    x.write("seed.seed", "7")
    assert draws(x) == first
    x.write("seed.seed", "")
    assert draws(x) != first and x.read("seed.seed") == ""
    with pytest.raises(ClickError):
        x.write("seed.seed", "seven")
