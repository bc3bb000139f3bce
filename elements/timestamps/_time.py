"""Times and time differences in Click's notation; values are nanoseconds."""

from clickbpf.declare import NOWHERE, ArgError, Context, Integer, Time, unparse_time


class SignedTime(Time):
    """A time span that may be negative; value int in nanoseconds."""

    c_type = "__s64"

    def parse(self, text: str, context: Context = NOWHERE) -> int:
        if not text.startswith("-"):
            return super().parse(text, context)
        try:
            return -super().parse(text[1:], context)
        except ArgError as error:
            raise ArgError(error.message.replace(text[1:], text, 1), error.hint) from None

    def c_value(self, value: int) -> str:
        return Integer(64, signed=True).c_value(value)

    def unparse(self, value: int) -> str:
        return unparse_time(value) if value >= 0 else f"{unparse_timestamp(value)}s"

    def describe(self) -> str:
        return f"{super().describe()}, perhaps negative"


#: Time spans that fit 64 bits, as in state and C.
SPAN = SignedTime(high=(1 << 63) - 1)


def unparse_timestamp(value: int) -> str:
    """Seconds with six decimals, or with nine if the last three aren't all 0."""
    seconds, part = divmod(abs(value), 10**9)
    fraction = f"{part // 1000:06d}" if part % 1000 == 0 else f"{part:09d}"
    return f"{'-' * (value < 0)}{seconds}.{fraction}"
