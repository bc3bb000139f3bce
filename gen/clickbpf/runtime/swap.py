"""One router in the place of another, in this process, without losing packets.

The new one is made, initialised and ready to run while the old one still runs. Then both stand still, the old one processes what
its devices' sockets hold, and state moves between elements of the same name and class.
"""

from collections.abc import Callable, Iterable, Mapping

from clickbpf.errors import NOTHING, ClickError, Diagnostic
from clickbpf.messages import show
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.roles import Successor


def succeed(new: Mapping[str, Element], elements: Iterable[Element]) -> None:
    """Let the elements of a router, by name, go on from states of another one, perhaps one whose runtime is dead, that outlive runtimes."""
    before = [element for element in elements if has_outliving(element)]
    for name, element in new.items() if before else ():
        try:
            if isinstance(element, Successor):
                element.succeed(before)
        except Exception as error:  # of a user's class, as in take_over()
            show(ClickError(f"'{name}' can't go on from the router before: {error}").diagnostics)


def has_outliving(element: Element) -> bool:
    """Whether it has state that outlives runtimes."""
    return any(kind.outlives for kind in element.state_types.values())


def nothing() -> None:
    """For routers without a kernel path."""


def take_over(new: Runtime, old: Runtime, devices: Mapping[str, str], redirect: Callable[[], None] = nothing) -> None:
    """Put `new`, initialised but not started, in the place of `old`, which retires and is to be closed.

    `devices` are those of `new` that are devices of `old`, by their names in the configurations. `redirect` is called when
    both stand still: from then on the kernel path of `new` is the one that packets take. If it raises, `old` goes on. What `old` has
    dropped is `new`'s before that, so that it isn't lost with a process that is killed afterwards.
    """
    with old.locked(), new.locked():
        counted = {name: old.drops(name) for name in old.instances}
        new.add_drops(counted)
        redirect()
        new.adopt_devices(old, devices)
        for name, element in new.instances.items():
            before = element.hotswap_element()
            if before is not None:
                try:
                    element.take_state(before)
                except ClickError as error:
                    show(error.diagnostics)
                except Exception as error:  # whatever a user's class may raise: it is too late to go back
                    show(ClickError(f"'{name}' can't take state: {error}").diagnostics)
        succeed(new.instances, old.instances.values())
        new.signals.inherit(old.signals)
        new.replaces = None
        old.retire()
        old.heir = new
        old.when_closed = lambda: _pass_on(old, counted)


def _pass_on(old: Runtime, counted: Mapping[str, Mapping[str, int]]) -> None:
    """Have the router that runs now go on from what `old` has dropped since these counts, as it does when it is closed: packets that
    waited, and that no element has taken over. A warning has the number of those whose elements are no longer there, since others count
    them."""
    new = old.heir
    while new.heir:
        new = new.heir
    dropped = {name: old.drops(name) for name in old.instances}
    since = {name: {reason: n - counted[name].get(reason, 0) for reason, n in dropped[name].items()} for name in dropped}
    with new.locked():
        new.add_drops(since)
    for name in dropped.keys() - new.instances.keys():
        if lost := since[name].get("ENDED"):
            place = old.checked.router.element(name).place
            text = f"'{name}' is not in the new router: packets that waited there are lost, {lost} of them"
            show([Diagnostic(place, text, severity="warning", in_click=(NOTHING,))])
