"""Operations on words and truths (values.py). They simplify their result as far as possible towards a constant or a part of the packet."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial, reduce
from math import gcd

from clickbpf.prove.values import Term, Truth, Word, bounds, make

#: Factor and bound by which programs find out whether a sum is a multiple of 0xffff (checksum_is_right() of elements/ip/ip.h).
CHECK, WRONG = 0x0001000100010001, (1 << 64) - (1 << 31)

# -- bits ---------------------------------------------------------------------------------------------------------------


@cache
def cat(*parts: tuple[int, Word]) -> Word:
    """The concatenation of these parts, (width, word) from the most significant one on."""
    flat: list[tuple[int, Word]] = []
    for width, part in parts:
        for inner in part.args if isinstance(part, Term) and part.op == "cat" else ((width, part),):
            _append(flat, inner)
    if len(flat) == 1:
        return flat[0][1]
    total, low, high, ones = sum(width for width, _ in flat), 0, 0, 0
    for width, part in flat:
        least, most = bounds(part)
        low, high = low << width | least, high << width | most
        ones = ones << width | (part if isinstance(part, int) else part.ones)
    return make("cat", total, tuple(flat), low, high, ones)


def _append(flat: list[tuple[int, Word]], new: tuple[int, Word]) -> None:
    """Append a part, joined to the previous one if both are adjacent bits of one word."""
    if not new[0]:
        return
    if flat:
        (width, before), (more, part) = flat[-1], new
        if isinstance(before, int) and isinstance(part, int):
            flat[-1] = width + more, before << more | part
            return
        joined = _adjoined(before, part) if isinstance(before, Term) and isinstance(part, Term) else None
        if joined is not None:
            flat[-1] = width + more, joined
            return
    flat.append(new)


def _adjoined(before: Term, part: Term) -> Word | None:
    """Two parts as one: adjacent bits of one word, or choices by one condition. So a word is the same term after its bytes have been in
    memory one by one. (The lower bits of a word may have been simplified to a term that doesn't show them as such, as those of a sum.)"""
    if before.op == part.op == "ite" and before.args[0] is part.args[0]:
        ways = zip(before.args[1:], part.args[1:])
        return choose(before.args[0], before.width + part.width, *(cat((before.width, one), (part.width, other)) for one, other in ways))
    if before.op == "ex":
        word, high, low = before.args
        if low >= part.width and part is extract(low - 1, low - part.width, word):
            return extract(high, low - part.width, word)
    return None


@cache
def extract(high: int, low: int, word: Word) -> Word:
    """Bits `high` to `low`."""
    width = high - low + 1
    if isinstance(word, int):
        return word >> low & ((1 << width) - 1)
    if width == word.width:
        return word
    if not word.ones >> low & ((1 << width) - 1):
        return 0
    match word.op:
        case "cat":
            return cat(*_sliced(word.args, high, low))
        case "ex":
            return extract(high + word.args[2], low + word.args[2], word.args[0])
        case "and" | "or" | "xor":
            return reduce(partial(bitwise, word.op, width), (extract(high, low, part) for part in word.args))
        case "ite":
            condition, one, other = word.args
            return choose(condition, width, extract(high, low, one), extract(high, low, other))
        case "sum" if not low:
            parts, constant = word.args
            return total(width, [(extract(high, 0, part), factor) for part, factor in parts], constant)
        case "sx" if high < word.args[0].width:
            return extract(high, low, word.args[0])
    return make("ex", width, (word, high, low), ones=word.ones >> low)


def _sliced(parts: Iterable[tuple[int, Word]], high: int, low: int) -> Iterable[tuple[int, Word]]:
    place = sum(width for width, _ in parts)
    for width, part in parts:
        place -= width
        top, bottom = min(high - place, width - 1), max(low - place, 0)
        if top >= bottom:
            yield top - bottom + 1, extract(top, bottom, part)


def extend(width: int, word: Word, of: int) -> Word:
    """A word of `of` bits with zeros in front."""
    if isinstance(word, int) or width == of:
        return word
    if word.op == "sum" and _exact(word):
        parts, constant = word.args
        return total(width, [(extend(width, part, of), factor) for part, factor in parts], constant)
    return cat((width - of, 0), (of, word))


def sign_extend(width: int, word: Word, of: int) -> Word:
    if isinstance(word, int):
        return word | ((1 << width) - (1 << of) if word >> (of - 1) & 1 else 0)
    return word if width == of else extend(width, word, of) if not word.ones >> (of - 1) & 1 else make("sx", width, (word,))


def bitwise(op: str, width: int, a: Word, b: Word) -> Word:
    """and, or, xor: piece by piece if an operand is a concatenation or a constant."""
    if isinstance(a, int) and isinstance(b, int):
        return a & b if op == "and" else a | b if op == "or" else a ^ b
    if isinstance(a, int) or (isinstance(b, Term) and b.number < a.number):
        a, b = b, a
    if a is b:
        return 0 if op == "xor" else a
    cuts = _cuts(width, a) | _cuts(width, b)
    if len(cuts) > 2 and len(cuts) < 20:
        order = sorted(cuts, reverse=True)
        pieces = [(high - low, extract(high - 1, low, a), extract(high - 1, low, b)) for high, low in zip(order, order[1:])]
        return cat(*((size, bitwise(op, size, one, other)) for size, one, other in pieces))
    full = (1 << width) - 1
    if b == 0:
        return 0 if op == "and" else a
    if b == full and op != "xor":
        return a if op == "and" else full
    return _together(op, width, (*_operands(op, a), *_operands(op, b)))


def _operands(op: str, word: Word) -> tuple[Word, ...]:
    return word.args if isinstance(word, Term) and word.op == op else (word,)


def _together(op: str, width: int, operands: Iterable[Word]) -> Word:
    """An operation on any number of operands, each once and in one order, so that it is the same term however it was bracketed."""
    kept: dict[Word, None] = {}
    for each in operands:
        if each not in kept:
            kept[each] = None
        elif op == "xor":
            del kept[each]
    order = sorted(kept, key=lambda each: (1, each) if isinstance(each, int) else (0, each.number))
    if len(order) < 2:
        return order[0] if order else 0
    bits = (each if isinstance(each, int) else each.ones for each in order)
    return make(op, width, tuple(order), ones=reduce(int.__and__ if op == "and" else int.__or__, bits))


def _cuts(width: int, word: Word) -> set[int]:
    """The borders of a word's pieces; a constant's pieces are runs of equal bits."""
    cuts = {0, width}
    if isinstance(word, int):
        cuts |= {place for place in range(1, width) if (word >> place & 1) != (word >> (place - 1) & 1)}
    elif word.op == "cat":
        place = width
        for size, _ in word.args:
            place -= size
            cuts.add(place)
    return cuts


def shift(op: str, width: int, a: Word, by: Word) -> Word:
    """shl, shr, or sar (signed); the number of bits is taken modulo the width."""
    if isinstance(by, Term):
        return make(op, width, (a, bitwise("and", width, by, width - 1)))
    by &= width - 1
    if not by:
        return a
    if op == "shl":
        return cat((width - by, extract(width - by - 1, 0, a)), (by, 0))
    kept = extract(width - 1, by, a)
    return cat((by, 0), (width - by, kept)) if op == "shr" else sign_extend(width, kept, width - by)


def swap(width: int, word: Word) -> Word:
    """The lower `width` bits with their bytes in reverse order."""
    return cat(*((8, extract(place + 7, place, word)) for place in range(0, width, 8)))


# -- numbers ------------------------------------------------------------------------------------------------------------


def total(width: int, parts: Iterable[tuple[Word, int]], constant: int = 0) -> Word:
    """The sum of terms, each with a factor, and a constant."""
    full, factors = (1 << width) - 1, {}
    for part, factor in parts:
        if isinstance(part, int):
            constant += part * factor
        elif part.op == "sum":
            constant += part.args[1] * factor
            for inner, of in part.args[0]:
                factors[inner] = factors.get(inner, 0) + of * factor
        else:
            factors[part] = factors.get(part, 0) + factor
    constant &= full
    kept = tuple(sorted(((part, f & full) for part, f in factors.items() if f & full), key=lambda item: item[0].number))
    if not kept:
        return constant
    if len(kept) == 1 and kept[0][1] == 1 and not constant:
        return kept[0][0]
    high = constant + sum(part.high * factor for part, factor in kept)
    if high > full:
        return make("sum", width, (kept, constant))
    return make("sum", width, (kept, constant), constant + sum(part.low * factor for part, factor in kept), high)


def _exact(word: Term) -> bool:
    """Whether a sum can't exceed its width."""
    parts, constant = _parts(word)
    return constant + sum(part.high * factor for part, factor in parts) < 1 << word.width


def add(width: int, a: Word, b: Word) -> Word:
    return (a + b) & ((1 << width) - 1) if isinstance(a, int) and isinstance(b, int) else total(width, ((a, 1), (b, 1)))


def subtract(width: int, a: Word, b: Word) -> Word:
    return (a - b) & ((1 << width) - 1) if isinstance(a, int) and isinstance(b, int) else total(width, ((a, 1), (b, -1)))


def multiply(width: int, a: Word, b: Word) -> Word:
    if isinstance(b, int):
        return a * b & ((1 << width) - 1) if isinstance(a, int) else total(width, ((a, b),))
    return multiply(width, b, a) if isinstance(a, int) else make("mul", width, (a, b))


def divide(op: str, width: int, a: Word, b: Word) -> Word:
    """udiv or urem. In BPF the quotient of a division by zero is 0, and the remainder is the dividend."""
    if isinstance(a, int) and isinstance(b, int):
        return (a // b if b else 0) if op == "udiv" else a % b if b else a
    if isinstance(b, int) and b and not b & (b - 1):
        bits = b.bit_length() - 1
        return shift("shr", width, a, bits) if op == "udiv" else bitwise("and", width, a, b - 1)
    if isinstance(b, int) and b:
        return make(op, width, (a, b), high=a.high // b if op == "udiv" else b - 1)
    return choose(equal(b, 0), width, 0 if op == "udiv" else a, make(op, width, (a, b)))


def may_be(word: Term, value: int) -> bool:
    """False if a word's bounds, or the factors of its parts, exclude a value."""
    parts, constant = _parts(word)
    stride = gcd(*(factor for _, factor in parts)) if _exact(word) else 1
    return word.low <= value <= word.high and not (value - constant) % stride


def choose(condition: Truth, width: int, one: Word, other: Word) -> Word:
    if isinstance(condition, bool):
        return one if condition else other
    if one is other or (isinstance(one, int) and isinstance(other, int) and one == other):
        return one
    (low, high), (least, most) = bounds(one), bounds(other)
    ones = (one if isinstance(one, int) else one.ones) | (other if isinstance(other, int) else other.ones)
    return make("ite", width, (condition, one, other), min(low, least), max(high, most), ones)


def leaves(word: Word, limit: int) -> set[int] | None:
    """The possible values of a choice between constants; None for other words, or if there are more than `limit`."""
    if isinstance(word, int):
        return {word}
    match word.op:
        case "ite":
            found = [leaves(part, limit) for part in word.args[1:]]
            made = None if None in found else found[0] | found[1]
        case "cat":
            made = {0}
            for width, part in word.args:
                of = leaves(part, limit)
                made = None if of is None or made is None else {value << width | low for value in made for low in of}
        case "sum":
            made = {word.args[1]}
            for part, factor in word.args[0]:
                of = leaves(part, limit)
                made = None if of is None or made is None else {(value + factor * x) & (1 << word.width) - 1 for value in made for x in of}
        case _:
            return None
    return None if made is None or len(made) > limit else made


# -- truth --------------------------------------------------------------------------------------------------------------


def equal(a: Word, b: Word) -> Truth:
    if isinstance(a, int):
        a, b = b, a
    if isinstance(a, int):
        return a == b
    if a is b:
        return True
    (low, high), (least, most) = bounds(a), bounds(b)
    if high < least or most < low:
        return False
    if isinstance(b, int) and b & ~a.ones:
        return False
    if a.op == "cat" or (isinstance(b, Term) and b.op == "cat"):
        order = sorted(_cuts(a.width, a) | (_cuts(a.width, b) if isinstance(b, Term) else set()), reverse=True)
        return all_of(equal(extract(high - 1, low, a), extract(high - 1, low, b)) for high, low in zip(order, order[1:]))
    if a.op == "sum" or (isinstance(b, Term) and b.op == "sum"):
        parts, constant = _parts(subtract(a.width, a, b))
        if not parts:
            return constant == 0
        if len(parts) == 1 and parts[0][1] > 1 and not parts[0][0].high * parts[0][1] >> a.width:
            value, rest = divmod(-constant & ((1 << a.width) - 1), parts[0][1])
            return not rest and equal(parts[0][0], value)
        if len(parts) == 1 and parts[0][1] in (1, (1 << a.width) - 1):
            value = (-constant if parts[0][1] == 1 else constant) & ((1 << a.width) - 1)
            return make("eq", 0, (parts[0][0], value)) if parts[0][0].low <= value <= parts[0][0].high else False
        return make("eq", 0, (total(a.width, parts), -constant & ((1 << a.width) - 1)))
    if isinstance(b, int) and a.op == "ite" and isinstance(a.args[1], int) and isinstance(a.args[2], int):
        one, other = a.args[1] == b, a.args[2] == b
        return one if one == other else a.args[0] if one else opposite(a.args[0])
    if isinstance(b, Term) and b.number < a.number:
        a, b = b, a
    return make("eq", 0, (a, b))


def _parts(word: Word) -> tuple[tuple, int]:
    if isinstance(word, int):
        return (), word
    return word.args if word.op == "sum" else (((word, 1),), 0)


def below(a: Word, b: Word) -> Truth:
    """a < b, unsigned."""
    if (b == WRONG or a == WRONG - 1) and (right := _is_right(a if b == WRONG else b)) is not None:
        return opposite(right) if b == WRONG else right
    a, b = _without_zeros(a, b)
    shift = min(_surplus(a), _surplus(b))
    if shift:
        a, b = (subtract(word.width, word, shift) if isinstance(word, Term) else word - shift for word in (a, b))
    (low, high), (least, most) = bounds(a), bounds(b)
    if high < least:
        return True
    if low >= most:
        return False
    return make("ult", 0, (a, b))


def _is_right(word: Word) -> Truth | None:
    """If a word is a sum times CHECK, whether the sum is a multiple of 0xffff but not 0; otherwise None."""
    if isinstance(word, int) or word.op != "sum" or word.args[1] or any(factor % CHECK for _, factor in word.args[0]):
        return None
    summed = total(64, [(part, factor // CHECK) for part, factor in word.args[0]])
    return equal(fold(summed), 0xFFFF) if bounds(summed)[1] < 1 << 46 else None


def fold(word: Word) -> Word:
    """A 64-bit sum below 2^48, folded to 16 bits of ones' complement; 0 only for 0."""
    if isinstance(word, int):
        return (word - 1) % 0xFFFF + 1 if word else 0
    if word.op == "ite":
        condition, one, other = word.args
        return choose(condition, 64, fold(one), fold(other))
    return extend(64, make("fold", 16, (word,)), 16)


def _surplus(word: Word) -> int:
    """The largest constant known to be subtractable without a negative result."""
    if isinstance(word, int):
        return word
    return word.args[1] if word.op == "sum" and _exact(word) else 0


def _without_zeros(a: Word, b: Word) -> tuple[Word, Word]:
    """Both words without the leading bits that are 0 in both."""
    if isinstance(a, Term) and a.op == "cat" and a.args[0][1] == 0 and isinstance(b, int) and b.bit_length() <= a.width - a.args[0][0]:
        return cat(*a.args[1:]), b
    if isinstance(b, Term) and b.op == "cat" and b.args[0][1] == 0 and isinstance(a, int) and a.bit_length() <= b.width - b.args[0][0]:
        return a, cat(*b.args[1:])
    return a, b


def below_signed(width: int, a: Word, b: Word) -> Truth:
    half = 1 << (width - 1)
    (_, high), (_, most) = bounds(a), bounds(b)
    if high < half and most < half:
        return below(a, b)
    if isinstance(a, int) and isinstance(b, int):
        return a ^ half < b ^ half
    return make("slt", 0, (width, a, b))


def opposite(truth: Truth) -> Truth:
    if isinstance(truth, bool):
        return not truth
    return truth.args[0] if truth.op == "not" else make("not", 0, (truth,))


def all_of(parts: Iterable[Truth]) -> Truth:
    kept: dict[Term, None] = {}
    for part in parts:
        if part is False:
            return False
        if part is not True:
            kept |= dict.fromkeys(part.args if part.op == "all" else (part,))
    if any(part.op == "not" and part.args[0] in kept for part in kept):
        return False
    return True if not kept else next(iter(kept)) if len(kept) == 1 else make("all", 0, tuple(kept))


def any_of(parts: Iterable[Truth]) -> Truth:
    return opposite(all_of(opposite(part) for part in parts))


def cases(truth: Truth) -> list[Truth]:
    """Easier truths, at least one of which holds if a hard truth holds; only the truth itself if it can't be divided."""
    if isinstance(truth, bool) or not truth.hard:
        return [truth]
    if truth.op == "not" and truth.args[0].op == "all":
        parts = [opposite(part) for part in truth.args[0].args]
        easy = any_of(part for part in parts if not part.hard)
        return [*([easy] if easy is not False else ()), *(part for part in parts if part.hard)]
    if truth.op == "all":
        ways = next((part for part in truth.args if part.hard and part.op == "not" and part.args[0].op == "all"), None)
        if ways is not None:
            rest = [part for part in truth.args if part is not ways]
            return [all_of((*rest, case)) for case in cases(ways)]
    return [truth]


def easier(truth: Truth, over: bool = True) -> Truth:
    """A truth without hard parts that follows from a truth or, if not `over`, from which that truth follows."""
    if isinstance(truth, bool) or not truth.hard:
        return truth
    if truth.op == "not":
        return opposite(easier(truth.args[0], not over))
    return all_of(easier(part, over) for part in truth.args) if truth.op == "all" else over
