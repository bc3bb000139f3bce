"""NAME=VALUE on a command line: the value of a variable, or the device to use instead of one of the configuration's."""

from collections.abc import Callable, Collection, Mapping

from clickbpf.graph.recovery import Recovery
from clickbpf.graph.router import Router
from clickbpf.graph.similar import SimilarNames
from clickbpf.vocabulary.element import Element


class StandIns(dict[str, str]):
    """Devices by their names in the configuration; `asked` has the names that were looked up."""

    def __init__(self, devices: Mapping[str, str]):
        super().__init__(devices)
        self.asked: set[str] = set()

    def get(self, name, default=None):
        self.asked.add(name)
        return super().get(name, default)


def check_assignments(
    given: Mapping[str, str],
    router: Router,
    instances: Mapping[str, Element],
    devices: Collection[str],
    asked: Collection[str],
    report: Callable[[None, str, str | None], None],
    recovery: Recovery,
) -> None:
    """Report values that nothing uses: a mistyped name would silently leave the configuration's own value in force.

    `devices` are the configuration's devices, `asked` more names whose addresses it uses.
    """
    known = router.variables.union(devices)
    similar = SimilarNames()
    for name, value in given.items():
        if name not in known and name not in asked and not _may_be_used(name, router, instances, recovery):
            near = similar(name, known)[:3]
            hint = f"did you mean {' or '.join(near)}?" if near else _known(router.variables, devices)
            report(None, f"nothing uses {name}={value}: the configuration has no variable ${name} and no device {name}", hint)


def _may_be_used(name: str, router: Router, instances: Mapping[str, Element], recovery: Recovery) -> bool:
    """Whether the configuration may use the name in a part that mistakes hide."""
    hidden = (element.config for element in router.elements if element.name not in instances)
    return bool(recovery.missing_elements) or bool({name, "$"} & recovery.words) or any(name in config for config in hidden)


def _known(variables: Collection[str], devices: Collection[str]) -> str:
    names = [f"${name}" for name in sorted(variables)] + sorted(devices)
    return f"it has {', '.join(names)}" if names else "it has neither"
