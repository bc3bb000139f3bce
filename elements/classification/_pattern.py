"""The pattern language of Classifier: `12/0806 !20/0001%00ff`."""

import re
from collections.abc import Iterator

from clickbpf.declare import ArgError
from clickbpf.args.digits import whole
from clickbpf.classify import TRUE, All, Expression, Not, match_bytes

#: The length of the longest packet.
OFFSET_MAX = 65535

_FORM = "a clause is OFFSET/VALUE or OFFSET/VALUE%MASK"
_WORDS = f"{_FORM}, without quotes: '12/0800' is IP, '12/0806' ARP, '12/86dd' IPv6; IPClassifier has patterns like 'tcp dst port 80'"

_CLAUSE = re.compile(
    r"""\s*(?P<negated>!)?\s*(?P<start>)
        (?P<offset>[0-9]+)?
        (?P<slash>/)?
        (?P<value>[0-9A-Fa-f?]*)
        (?:%(?P<mask>[0-9A-Fa-f?]*))?""",
    re.VERBOSE,
)


def parse_pattern(text: str, number: int, errors: list[ArgError]) -> Expression:
    """The expression of pattern `number`; mistakes are appended to `errors`."""
    if text == "-":
        return TRUE
    clauses = []
    for match in _clauses(text):
        try:
            clauses.append(_clause(match))
        except ArgError as error:
            message, where = f"pattern {number}: {error.message}", {"argument": "PATTERN", "index": number}
            errors.append(ArgError(message, error.hint, offset=error.offset, **where))
            if match["offset"] is None or match["slash"] is None:
                break
    return All(*clauses)


def _clauses(text: str) -> Iterator[re.Match[str]]:
    place = 0
    while text[place:].strip():
        match = _CLAUSE.match(text, place)
        yield match
        place = match.end()


def _clause(match: re.Match[str]) -> Expression:
    """The expression of one clause, the groups of _CLAUSE."""
    if match["offset"] is None:
        raise ArgError("expected a digit", _WORDS, offset=match.start("start"))
    if match["slash"] is None:
        raise ArgError("expected '/'", _WORDS, offset=match.end("offset"))
    where = match.start("value")
    if len(match["value"]) < 2:
        raise ArgError("value has less than 2 hex digits", offset=where)
    if len(match["value"]) % 2:
        raise ArgError("value has odd number of hex digits", "bytes have two digits each, as in '12/0800'", offset=where)
    value, mask = _digits(match["value"])
    if match["mask"] is not None:
        if len(match["mask"]) != len(match["value"]):
            amount = "many" if len(match["mask"]) > len(match["value"]) else "few"
            raise ArgError(f"mask has too {amount} hex digits", offset=match.start("mask"))
        mask_value, mask_mask = _digits(match["mask"])
        mask = bytes(m & v & d for m, v, d in zip(mask, mask_value, mask_mask))
    offset = whole(match["offset"])
    if offset + len(value) > OFFSET_MAX:
        raise ArgError("offset is beyond the end of any packet", offset=match.start("offset"))
    clause = match_bytes("data", offset, value, mask)
    return Not(clause) if match["negated"] else clause


def _digits(text: str) -> tuple[bytes, bytes]:
    """Value and mask of hexadecimal digits; both are 0 for a `?`."""
    return bytes.fromhex(text.replace("?", "0")), bytes.fromhex(re.sub("[0-9A-Fa-f]", "f", text).replace("?", "0"))
