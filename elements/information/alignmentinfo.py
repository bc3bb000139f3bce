from collections.abc import Iterator

from clickbpf.declare import ArgError, Integer, split_words_at

from ..common._entries import NamingElement

#: The kind of name for elements' chunks and offsets.
ALIGNMENT = "alignment"


class AlignmentInfo(NamingElement):
    """declares how elements' packets are aligned

    Synopsis: `AlignmentInfo(ELEMENT CHUNK OFFSET [CHUNK OFFSET ...], ...)`

    The tool click-align writes one at the end of its configurations. It is only checked here, since elements read words at any
    address (see Align).

    Arguments:

      - ELEMENT CHUNK OFFSET ...: packets on input 0, 1 and so on of the element begin OFFSET bytes after a multiple of
        CHUNK. Several descriptions of an element have to be the same. Elements that don't exist are ignored.

    Example:

        FromDevice(eth0) -> Align(4, 2) -> Strip(14) -> c :: CheckIPHeader -> Discard;
        AlignmentInfo(c 4 0);
    """

    def _define(self, text: str) -> Iterator[ArgError]:
        words = split_words_at(text)
        element = self.context.find(words[0][0]) if words else None
        if element is None:
            return
        if len(words) % 2 == 0:
            yield ArgError("expected 'ELEMENTNAME CHUNK OFFSET [CHUNK OFFSET...]'")
            return
        numbers: list[int] = []
        for index, (word, offset) in enumerate(words[1:]):
            try:
                numbers.append(Integer(signed=True).parse(word))
            except ArgError as error:
                yield ArgError(f"expected {('CHUNK', 'OFFSET')[index % 2]}", error.message, offset=offset)
                return
        known = self._names.query(ALIGNMENT, "", element)
        if known not in (None, numbers):
            yield ArgError(f"conflicting AlignmentInfo for '{words[0][0]}'")
        self._names.define(ALIGNMENT, "", element, numbers)
