"""Replaces one router by another in this process, without losing packets.

The new one is created and initialised while the old one still runs. Then both are stopped, the old one processes the packets in its
devices' sockets, and state moves between elements of the same name and class.
"""

from collections.abc import Callable, Iterable, Mapping

from clickbpf.errors import NOTHING, ClickError, Diagnostic
from clickbpf.messages import show
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.roles import Successor


def succeed(new: Mapping[str, Element], elements: Iterable[Element]) -> None:
    """Have the elements of a router, by name, take over state that outlives runtimes from elements of another one, whose runtime may be
    dead."""
    before = [element for element in elements if has_outliving(element)]
    for name, element in new.items() if before else ():
        try:
            if isinstance(element, Successor):
                element.succeed(before)
        except Exception as error:  # of a user's class, as in take_over()
            show(ClickError(f"'{name}' can't go on from the router before: {error}").diagnostics)


def has_outliving(element: Element) -> bool:
    """Whether the element has state that outlives runtimes."""
    return any(kind.outlives for kind in element.state_types.values())


def nothing() -> None:
    """For routers without a kernel path."""


def take_over(new: Runtime, old: Runtime, devices: Mapping[str, str], redirect: Callable[[], None] = nothing) -> None:
    """Replace `old` by `new`, which is initialised but not started. `old` retires; the caller has to close it.

    `devices` are the devices that both have, by their names in the two configurations. `redirect` is called when both are stopped, and has
    packets take the kernel path of `new`; if it raises, `old` goes on. The drop counts of `old` are added to `new`'s before that, so that
    they aren't lost if the process is killed afterwards.
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
                except Exception as error:  # a user's class may raise anything, and it is too late to go back
                    show(ClickError(f"'{name}' can't take state: {error}").diagnostics)
        succeed(new.instances, old.instances.values())
        new.signals.inherit(old.signals)
        new.replaces = None
        old.retire()
        old.heir = new
        old.when_closed = lambda: _pass_on(old, counted)


def _pass_on(old: Runtime, counted: Mapping[str, Mapping[str, int]]) -> None:
    """Add the drops of `old` since these counts to those of the router that runs now. They happen when `old` is closed: packets that
    waited, and that no element has taken over. If their element no longer exists, another one counts them, and there is a warning."""
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
