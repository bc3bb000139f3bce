from collections.abc import Iterator

from clickbpf.declare import ArgError, split_words_at
from clickbpf.args.names import scopes
from clickbpf.graph.schedule import TICKETS, parameter

from ..common._entries import NamingElement


class ScheduleInfo(NamingElement):
    """sets how often elements are scheduled

    Synopsis: `ScheduleInfo(ELEMENT PARAM, ...)`

    Tasks of elements that run by themselves – Unqueue, InfiniteSource, a Discard that pulls – share a thread in
    proportion to their parameters: one with parameter 2 runs four times as often as one with 0.5. The default is 1, the maximum 32.
    A task with parameter 0 runs when no other task has work.

    ELEMENT may be a compound element: its parameter then multiplies those of the elements in it. A ScheduleInfo within a compound
    is for the elements there; an entry outside that names an element within (`c/source`) takes precedence.

    Arguments:

      - ELEMENT PARAM: the name of an element or compound, and a number of at least 0, with fractions of 1/1024.

    Example:

        InfiniteSource -> fast :: Queue -> u1 :: Unqueue -> Discard;
        InfiniteSource -> slow :: Queue -> u2 :: Unqueue -> Discard;
        ScheduleInfo(u1 4);
    """

    def _define(self, text: str) -> Iterator[ArgError]:
        words = split_words_at(text)
        if not words:
            return
        if len(words) != 2:
            yield ArgError("expected 'ELEMENTNAME PARAM'")
            return
        (element, _), (text_of_parameter, offset) = words
        try:
            self._names.define(parameter(next(scopes(self.name))), "", element.rstrip("/"), TICKETS.parse(text_of_parameter))
        except ArgError as error:
            yield ArgError("expected 'ELEMENTNAME PARAM'", error.message, offset=offset)
