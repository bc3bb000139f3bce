"""Terms are simplified to others with the same values."""

from hypothesis import given
from hypothesis import strategies as st

from clickbpf.prove import terms
from clickbpf.prove.evaluation import Values
from clickbpf.prove.values import variable
from clickbpf.prove.worlds import Table

WIDTH = 32
NAMES = ("a", "b")
OPERATIONS = ("add", "subtract", "and", "or", "xor", "shl", "shr", "sar", "udiv", "urem", "multiply", "extract", "swap", "fold")


def apply(operation, one, other, by):
    """An operation on words of 32 bits."""
    match operation:
        case "add" | "subtract" | "multiply":
            return getattr(terms, operation)(WIDTH, one, other)
        case "and" | "or" | "xor":
            return terms.bitwise(operation, WIDTH, one, other)
        case "shl" | "shr" | "sar":
            return terms.shift(operation, WIDTH, one, by)
        case "udiv" | "urem":
            return terms.divide(operation, WIDTH, one, other)
        case "extract":
            return terms.extend(WIDTH, terms.extract(by, by // 2, one), by - by // 2 + 1)
        case "swap":
            return terms.swap(WIDTH, one)
    return terms.extract(WIDTH - 1, 0, terms.fold(terms.extend(64, one, WIDTH)))


@given(st.lists(st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 5), st.integers(0, 5), st.integers(0, 31)), max_size=8),
       st.tuples(*[st.integers(0, 2**32 - 1)] * 2), st.integers(0, 2**32 - 1))  # fmt: skip
def test_values(steps, values, constant):
    """Computing with variables, and then giving them values, is computing with the values."""
    words = [*(terms.cat(*((8, variable(f"{name}{at}", 8)) for at in range(4))) for name in NAMES), constant, 0, 0xFF00]
    numbers = [*values, constant, 0, 0xFF00]
    for operation, one, other, by in steps:
        words.append(apply(operation, words[one % len(words)], words[other % len(words)], by))
        numbers.append(apply(operation, numbers[one % len(numbers)], numbers[other % len(numbers)], by))
    found = Values({f"{name}{at}": value >> 8 * (3 - at) & 0xFF for name, value in zip(NAMES, values) for at in range(4)})
    assert [found.of(word) for word in words] == numbers
    for one, other in zip(words, words[1:]):
        left, right = found.of(one), found.of(other)
        assert found.of(terms.equal(one, other)) == (left == right)
        assert found.of(terms.below(one, other)) == (left < right)
        assert found.of(terms.below_signed(WIDTH, one, other)) == (left ^ 1 << 31 < right ^ 1 << 31)


def test_tables_with_contents():
    """A byte of a table at a place that isn't known is one of those that are there."""
    index = variable("index", 8)
    place = terms.total(64, [(terms.extend(64, index, 8), 16)])
    byte = Table(bytes(16) + b"\x05" + bytes(30) + b"\x07").byte(place, 0)
    found = {number: Values({"index": number}).of(byte) for number in (0, 1, 2, 9)}
    assert found == {0: 0, 1: 5, 2: 0, 9: 0}


def test_a_word_that_was_in_memory():
    """Its bytes, put together again, are the word: of a sum, whose lower bytes are smaller sums, and of a choice."""
    a, b = (terms.cat(*((8, variable(f"{name}{at}", 8)) for at in range(4))) for name in NAMES)
    chosen = terms.choose(terms.equal(a, 0), WIDTH, b, terms.bitwise("xor", WIDTH, a, b))
    for word in (terms.add(WIDTH, a, b), terms.multiply(WIDTH, a, 33), chosen):
        assert terms.cat(*((8, terms.extract(place + 7, place, word)) for place in range(24, -8, -8))) is word


def test_brackets():
    """A hash is the same term, however the compiler has bracketed its operations; what is there twice goes."""
    a, b, c = (terms.multiply(WIDTH, variable(f"word {name}", WIDTH), 33) for name in "abc")
    for op in ("xor", "and", "or"):
        one = terms.bitwise(op, WIDTH, a, terms.bitwise(op, WIDTH, b, c))
        assert one is terms.bitwise(op, WIDTH, c, terms.bitwise(op, WIDTH, a, b))
        assert terms.bitwise(op, WIDTH, one, a) is (terms.bitwise(op, WIDTH, b, c) if op == "xor" else one)
