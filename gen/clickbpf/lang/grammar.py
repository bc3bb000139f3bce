"""The parser's tables (see machine.py), which Lark makes from grammar.lark. They are cached, so that commands wait neither for the import
of Lark nor for its analysis of a grammar that is always the same.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from clickbpf.cache import cached, content_hash
from clickbpf.errors import ClickError

#: Part of the cached tables' name; to be changed along with the form of the tables.
FORM = "1"


@cache
def tables() -> dict[str, Any]:
    """`rules`, `states`, `start` and `end`."""
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    try:
        kept = cached(f"grammar-{content_hash((FORM, grammar))}.json", lambda path: path.write_text(json.dumps(_made(grammar)), "utf-8"))
        return json.loads(kept.read_text("utf-8"))
    except (ClickError, OSError, ValueError):  # parsing works even if the cache is damaged or can't be written
        return _made(grammar)


def _made(grammar: str) -> dict[str, Any]:
    from lark import Lark
    from lark.lexer import Lexer
    from lark.parsers.lalr_analysis import Shift

    class Given(Lexer):
        """Takes the tokens that tokenizer.py makes."""

        def __init__(self, lexer_conf) -> None:
            pass

        def lex(self, data):
            return iter(data)

    table = Lark(grammar, parser="lalr", lexer=Given, maybe_placeholders=True).parser.parser._parse_table
    numbers = {state: number for number, state in enumerate(table.states)}
    rules = list(dict.fromkeys(rule for row in table.states.values() for action, rule in row.values() if action is not Shift))
    places = {rule: ~number for number, rule in enumerate(rules)}
    return {
        "rules": [_rule(rule) for rule in rules],
        "states": [
            {str(symbol): numbers[to] if action is Shift else places[to] for symbol, (action, to) in row.items()}
            for row in table.states.values()
        ],
        "start": numbers[table.start_states["start"]],
        "end": numbers[table.end_states["start"]],
    }


def _rule(rule) -> tuple:
    """A rule as machine.py needs it, with the shape of Lark's trees: rules whose names begin with _ are spliced in, those with ? are
    replaced by their only child, and absent symbols in brackets are None."""
    name, symbols = str(rule.origin.name), rule.expansion
    empty = rule.options.empty_indices
    missing = [len(ones) for ones in "".join("01"[each] for each in empty).split("0")] if empty else [0] * (len(symbols) + 1)
    children: list[int | None] = []
    for number, symbol in enumerate(symbols):
        children += [None] * missing[number]
        children.append(~number if not symbol.is_term and symbol.name.startswith("_") else number)
    children += [None] * missing[len(symbols)]
    single = bool(rule.options.expand1 and not rule.alias and len(children) == 1)
    method = rule.alias or (None if single or name.startswith("_") else name)
    return name, len(symbols), method, children, single
