"""Mappers: elements that choose a pattern from a list for each new flow of a rewriter. In C: mapper.inc.h."""

from collections.abc import Iterable
from typing import Any

from clickbpf import digits
from clickbpf.declare import USER, ArgError, Bool, Context, Element, numbered_handlers, read_each, read_handler, split_args, split_words

from ._spec import Spec, describe, parse_pattern_spec, spec_state, stored_pattern
from ._structures import HEADERS


class IPMapper(Element, ports="0/0", runs=USER):
    """A mapper. Changing or deactivating its patterns doesn't affect existing flows, which belong to rewriters."""

    headers = HEADERS
    state_types = {"specs": spec_state(lambda element: len(element.specs))}

    specs: list[Spec]

    @classmethod
    def pattern_texts(cls, config: list[str]) -> list[str]:
        """PATTERN FOUTPUT ROUTPUT of each pattern, from the arguments."""
        return config

    @classmethod
    def outputs_of(cls, config: str) -> Iterable[tuple[int, int]]:
        """The rewriter's outputs that the patterns of a configuration string use; invalid ones are left out."""
        for text in cls.pattern_texts([text for text, _ in split_args(config)]):
            outputs = [digits.number(word) for word in split_words(text)[-2:]]
            if len(outputs) == 2 and None not in outputs:
                yield outputs[0], outputs[1]

    def parse_patterns(self, texts: list[str], argument: str) -> None:
        """Fill `specs`."""
        if not texts:
            raise ArgError("no patterns given")
        self.specs = read_each(
            argument, texts, lambda text, _: parse_pattern_spec(split_words(text), self.context), "pattern {index}: {}"
        )

    def warnings(self) -> Iterable[ArgError]:
        if len(self.specs) == 1:
            yield ArgError("only one pattern given")

    def initialise(self) -> None:
        for value, spec in zip(self.state.specs, self.specs):
            spec.store(value, self.context.router.position)

    @read_handler
    def patterns(self) -> str:
        """a line for each pattern, with its outputs."""
        return "".join(_line(value) for value in self.state.specs)

    def read_pattern(self, number: int) -> str:
        return describe(self.state.specs[number])

    def write_pattern(self, number: int, text: str) -> None:
        old, spec = self.state.specs[number], parse_pattern_spec(split_words(text), self.context)
        if spec.output != (old.output[0], old.output[1]):
            raise ArgError("a pattern's outputs can't be changed")
        active = old.active
        spec.store(old, self.context.router.position)
        old.active = active

    def read_active(self, number: int) -> str:
        return Bool().unparse(bool(self.state.specs[number].active))

    def write_active(self, number: int, text: str) -> None:
        self.state.specs[number].active = Bool().parse(text.strip(), Context())

    pattern = numbered_handlers(lambda element: len(element.specs), read_pattern, write_pattern)
    active = numbered_handlers(lambda element: len(element.specs), read_active, write_active)


def _line(value: Any) -> str:
    state = "" if value.active else " (inactive)"
    return f"{stored_pattern(value)} {value.output[0]} {value.output[1]}{state}\n"
