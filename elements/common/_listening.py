"""Elements that are notified of the end of flows by an element that numbers them."""

from clickbpf.declare import NOWHERE, ArgError, Companion, Constants, Context, ElementRef, Keyword

#: Classes that report flows.
NOTIFIERS = ("AggregateIPFlows", "AggregateIPAddrPair")


class Notifier(ElementRef):
    """The name of an element that reports the beginning and end of flows; value str, its full name."""

    def parse(self, text: str, context: Context = NOWHERE) -> str:
        name = super().parse(text, context)
        class_ = context.class_of(name)
        if class_ and class_.class_name() not in NOTIFIERS:
            raise ArgError(f"{name} is not an AggregateNotifier", f"one is {' or '.join(NOTIFIERS)}")
        return name


NOTIFIER = Keyword("NOTIFIER", Notifier(), text="an AggregateIPFlows or AggregateIPAddrPair. A flow is forgotten when this element "
    "reports its end")


class ListeningElement(Companion):
    """A class with the argument NOTIFIER; listening.inc.h is its C part."""

    def constants(self) -> Constants:
        name, router = self.cfg.notifier, self.context.router
        return {
            "listens": ("bool", "true" if name is not None else "false"),
            "notifier": ("__u32", str(router.position[name] if name is not None and router is not None else 0)),
        }
