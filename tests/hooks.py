"""Where a router can be planned for."""

from clickbpf.graph.checked import CheckedRouter
from clickbpf.objects.hooks import HOOKS


def hooks(checked: CheckedRouter) -> tuple[str, ...]:
    """The kernel's hooks that have packets for all elements which take some from devices."""
    taking = [element.runs for element in checked.instances.values() if element.receives_from() is not None]
    return tuple(hook for hook in HOOKS if all(hook in runs for runs in taking))
