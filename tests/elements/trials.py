"""Elements that are tried with single packets, in a table of what becomes of these.

    TRIALS = {
        "shorter packets grow": Trial("Pad(70)").gives(FRAME, FRAME + bytes(6)),
        "what Truncate cut off comes back as zeros": Trial("Pad", before="Truncate(30)").gives(FRAME, FRAME[:30] + bytes(34)),
    }

is a test for each executor (conftest.py). All trials of a file share a few routers, each in a compound with devices of its own, since a
compilation for each would take several times as long. The time is simulated.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Self

from clickbpf.testing.cases import AT_ONCE, Case, Compound
from clickbpf.testing.router import Router
from clickbpf.testing.single import ElementRouter


class Trial:
    """An element, in surroundings as for a Case, and the steps of a test: calls of an ElementRouter's methods."""

    def __init__(self, element: str, ninputs: int = 1, noutputs: int = 1, **surroundings: Any):
        self.surroundings = {"text": element, "ninputs": ninputs, "noutputs": noutputs, **surroundings}
        self.case = Case(element, ninputs, noutputs, **surroundings)
        self.steps: list[tuple[str, list, dict[str, Any]]] = []

    def __getattr__(self, method: str) -> Callable[..., Self]:
        def step(*arguments: Any, **named: Any) -> Self:
            self.steps.append((method, [[*each] if isinstance(each, Iterator) else each for each in arguments], named))
            return self

        if not hasattr(ElementRouter, method):
            raise AttributeError(method)
        return step

    def run(self, x: ElementRouter) -> None:
        for method, arguments, named in self.steps:
            getattr(x, method)(*arguments, **named)
        x.expect_nothing()


def assert_trials_hold(trials: Mapping[str, Trial | Iterable[Trial]], router: Callable[..., Router]) -> None:
    """AssertionError for the first trial that doesn't go as it says, with its description."""
    __tracebackhide__ = True
    every = [(what, trial) for what, given in trials.items() for trial in ([given] if isinstance(given, Trial) else given)]
    for first in range(0, len(every), AT_ONCE):
        some = every[first : first + AT_ONCE]
        compounds = [Compound(trial.case, number, record=True) for number, (_, trial) in enumerate(some)]
        shared = router("".join(compound.text for compound in compounds), simtime=True)
        for (what, trial), compound in zip(some, compounds):
            try:
                trial.run(ElementRouter.within(shared, compound.name, trial.case.headers))
            except AssertionError as error:
                raise AssertionError(f"{what}: {trial.case.element}: {error}") from error
