from collections.abc import Iterator, Mapping

from clickbpf.declare import ArgError, ElementRef, FlowCodes, split_words
from clickbpf.graph.codes import FlowCode

from ..common._entries import InformationElement


class FlowInfo(FlowCodes, InformationElement):
    """gives elements other flow codes than their classes'

    Synopsis: `FlowInfo(ELEMENT CODE, ...)`

    A flow code says by which outputs of an element packets of each input may leave. All searches along packet paths depend on it:
    which Queues a RED watches, whether agnostic ports are push or pull.

    Arguments:

      - ELEMENT CODE: an element, and its flow code: `x/x` if packets go from any input to any output, `x/y` if none passes, `#/#`
        from an input to the output with its number.

    Example: this Idle is to look like a way through:

        FromDevice(eth0) -> i :: Idle -> Discard;
        FlowInfo(i x/x);
    """

    def configure(self) -> None:
        self._codes: dict[str, str] = {}
        self.each_entry(self._read)

    def _read(self, text: str) -> Iterator[ArgError]:
        words = split_words(text)
        if len(words) != 2:
            yield ArgError("expected 'ELEMENT CODE'")
            return
        element, code = words
        try:
            FlowCode(code)
        except ArgError:
            yield ArgError(f"bad flow code '{code}'", "such as x/x, x/y or #/#")
        self._codes[ElementRef().parse(element, self.context)] = code

    def flow_overrides(self) -> Mapping[str, str]:
        """Flow codes by elements' full names."""
        return self._codes
