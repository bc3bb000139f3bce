from clickbpf.declare import USER, ArgError, Element, ElementRef, HandlerName, Rest


class QuitWatcher(Element, ports="0/0", processing="a/a", runs=USER):
    """stops the driver when an element isn't scheduled any more

    Checks every 10 ms whether the elements are scheduled, and stops the driver when one of them is not, such as a source that has
    made all of its packets.

    Example:

        source :: InfiniteSource(LIMIT 1000) -> Queue -> Discard;
        QuitWatcher(source);
    """

    args = (Rest("ELEMENT", ElementRef(), "the name of an element with a handler `scheduled`"),)

    def started(self) -> None:
        for index, name in enumerate(self.cfg.element):
            if not self.runtime.handlers.has(name, "scheduled"):
                raise ArgError(f"no '{name}.scheduled' read handler", "it has no task", argument="ELEMENT", index=index)

    def called(self, value: int) -> int:
        """Whether all the elements are scheduled."""
        return all(self.runtime.read(HandlerName(name, "scheduled")) == "true" for name in self.cfg.element)
