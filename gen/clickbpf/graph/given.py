"""NAME=VALUE of a command line: a variable's value, or the device to use for one of the configuration."""

from collections.abc import Callable, Collection, Mapping

from clickbpf.graph.alike import Alike
from clickbpf.graph.recovery import Recovery
from clickbpf.graph.router import Router
from clickbpf.vocabulary.element import Element


class StandIns(dict[str, str]):
    """Devices by their names in the configuration; notes which names were looked up."""

    def __init__(self, devices: Mapping[str, str]):
        super().__init__(devices)
        self.asked: set[str] = set()

    def get(self, name, default=None):
        self.asked.add(name)
        return super().get(name, default)


def check_given(
    given: Mapping[str, str],
    router: Router,
    instances: Mapping[str, Element],
    devices: Collection[str],
    asked: Collection[str],
    report: Callable[[None, str, str | None], None],
    recovery: Recovery,
) -> None:
    """Report values that nothing uses: with a mistyped name the configuration's own value would be used silently.

    `devices` are those of the configuration, `asked` further names whose addresses it uses.
    """
    known = router.variables.union(devices)
    alike = Alike()
    for name, value in given.items():
        if name not in known and name not in asked and not _may_be_used(name, router, instances, recovery):
            near = alike(name, known)[:3]
            hint = f"did you mean {' or '.join(near)}?" if near else _known(router.variables, devices)
            report(None, f"nothing uses {name}={value}: the configuration has no variable ${name} and no device {name}", hint)


def _may_be_used(name: str, router: Router, instances: Mapping[str, Element], recovery: Recovery) -> bool:
    """Whether other mistakes hide what the configuration uses."""
    hidden = (element.config for element in router.elements if element.name not in instances)
    return bool(recovery.missing_elements) or bool({name, "$"} & recovery.words) or any(name in config for config in hidden)


def _known(variables: Collection[str], devices: Collection[str]) -> str:
    names = [f"${name}" for name in sorted(variables)] + sorted(devices)
    return f"it has {', '.join(names)}" if names else "it has neither"
