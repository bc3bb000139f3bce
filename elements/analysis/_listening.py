"""Elements that are told of flows by one that numbers them."""

from __future__ import annotations

from clickbpf.args import ArgError, ElementRef, Keyword
from clickbpf.args.context import NOWHERE, Context
from clickbpf.element import Element

#: Classes that tell.
NOTIFIERS = ("AggregateIPFlows", "AggregateIPAddrPair")


class Notifier(ElementRef):
    """The name of an element that tells when flows begin and are over; value str, its full name."""

    def parse(self, text: str, context: Context = NOWHERE) -> str:
        name = super().parse(text, context)
        class_ = context.class_of(name)
        if class_ and class_.class_name() not in NOTIFIERS:
            raise ArgError(f"{name} is not an AggregateNotifier", f"one is {' or '.join(NOTIFIERS)}")
        return name


NOTIFIER = Keyword("NOTIFIER", Notifier())


def notifier_constants(element: Element) -> dict[str, tuple[str, str]]:
    """Whether the element listens, and to which element of the router by its number."""
    name = element.cfg.notifier
    router = element.context.router
    return {
        "listens": ("bool", "true" if name is not None else "false"),
        "notifier": ("__u32", str(router.position[name] if name is not None and router is not None else 0)),
    }
