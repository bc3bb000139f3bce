"""Probabilities with a 28-bit fraction, as in Click."""

from clickbpf.declare import ArgError, Real

ONE = 1 << 28


class _Probability(Real):
    """A real number whose bound isn't that of its representation, 15.999999996. Up to there whoever takes it reports what exceeds 1."""

    def parse(self, text: str, *context) -> int:
        try:
            return super().parse(text, *context)
        except ArgError as error:
            raise ArgError(self.wrong(text).message, in_click=error.in_click or error.message) from None

    def describe(self) -> str:
        return "a number from 0 to 1"


PROBABILITY = _Probability(28)
