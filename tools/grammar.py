"""The parser's tables: `python tools/grammar.py` writes gen/clickbpf/lang/tables.py anew, from grammar.lark, by Lark.

The parser (machine.py) needs nothing but these, so that a command doesn't wait for Lark to be imported and to analyse a grammar
that is always the same.
"""

from __future__ import annotations

from pathlib import Path

from lark import Lark
from lark.grammar import Rule
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift

LANG = Path(__file__).resolve().parents[1] / "gen" / "clickbpf" / "lang"

HEAD = '''"""The tables of the parser, made of grammar.lark by tools/grammar.py: change that, and run it again."""

# ruff: noqa: E501

'''


class _Given(Lexer):
    """Tokens are made by tokens.py."""

    def __init__(self, lexer_conf) -> None:
        pass

    def lex(self, data):
        return iter(data)


def text() -> str:
    """The module's text: RULES, STATES, START and END, as machine.py describes them."""
    made = Lark((LANG / "grammar.lark").read_text(encoding="utf-8"), parser="lalr", lexer=_Given, maybe_placeholders=True)
    table = made.parser.parser._parse_table
    numbers = _numbered(table.states, table.start_states["start"])
    rules = [rule for number in numbers for _, (action, rule) in sorted(table.states[number].items()) if action is not Shift]
    rules = list(dict.fromkeys(rules))
    rows = "".join(f"    {_row(table.states[old], numbers, rules)},\n" for old in numbers)
    return (
        HEAD
        + "RULES = (\n"
        + "".join(f"    {_rule(rule)},\n" for rule in rules)
        + f")\nSTATES = (\n{rows})\n"
        + f"START, END = {numbers[table.start_states['start']]}, {numbers[table.end_states['start']]}\n"
    )


def _numbered(states: dict, start: int) -> dict[int, int]:
    """New numbers for the states, in the order in which they are come to: Lark's are others each time."""
    numbers, pending = {start: 0}, [start]
    while pending:
        for _, (action, to) in sorted(states[pending.pop(0)].items()):
            if action is Shift and to not in numbers:
                numbers[to] = len(numbers)
                pending.append(to)
    return numbers


def _row(actions: dict, numbers: dict[int, int], rules: list[Rule]) -> str:
    entries = (f'"{symbol}": {numbers[to] if action is Shift else ~rules.index(to)}' for symbol, (action, to) in sorted(actions.items()))
    return f"{{{', '.join(entries)}}}"


def _rule(rule: Rule) -> str:
    name, symbols = str(rule.origin.name), rule.expansion
    missing = [len(ones) for ones in "".join("01"[empty] for empty in rule.options.empty_indices).split("0")]
    children: list[str] = []
    for number, symbol in enumerate(symbols):
        children += ["None"] * (missing[number] if rule.options.empty_indices else 0)
        children.append(str(~number if not symbol.is_term and symbol.name.startswith("_") else number))
    children += ["None"] * (missing[len(symbols)] if rule.options.empty_indices else 0)
    single = bool(rule.options.expand1 and not rule.alias and len(children) == 1)
    method = rule.alias or (None if single or name.startswith("_") else name)
    inside = ", ".join(children) + ("," if len(children) == 1 else "")
    return f'("{name}", {len(symbols)}, {f"{chr(34)}{method}{chr(34)}" if method else None}, ({inside}), {single})'


if __name__ == "__main__":
    (LANG / "tables.py").write_text(text(), encoding="utf-8")
