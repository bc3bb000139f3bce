"""Elements that are told of flows by one that numbers them."""

from __future__ import annotations

from clickbpf.args import ArgError, ElementRef, Keyword
from clickbpf.args.context import NOWHERE, Context
from clickbpf.vocabulary.element import Element

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


class ListeningElement(Element):
    """Has NOTIFIER among its arguments; the C side is told whether it listens, and to which element by its number."""

    def constants(self):
        name, router = self.cfg.notifier, self.context.router
        return {
            "listens": ("bool", "true" if name is not None else "false"),
            "notifier": ("__u32", str(router.position[name] if name is not None and router is not None else 0)),
        }

    def works_on(self) -> tuple[str, ...]:
        """What tells it of flows does so while it works itself."""
        return () if self.cfg.notifier is None else (self.cfg.notifier,)
