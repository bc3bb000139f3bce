"""The LALR automaton for Lark's tables: it takes tokens one by one, and calls the methods of a `Build`. The tables:

    rules   for each rule: its left side, its number of symbols, the method to call, its children, and whether its only child replaces it.
            Children are numbers of symbols, ~number if the children of a rule without a method are spliced in, None for absent symbols.
    states  for each state, by token or left side: the state to go to, or ~number of the rule to reduce
    start, end  the states before the first token and after the last
"""

from typing import Any

from clickbpf.lang.grammar import tables
from clickbpf.lang.tokens import Token

#: The kind of the last token.
LAST = "$END"


class Machine:
    """A parser that has read some tokens. `values` are the incomplete results so far."""

    def __init__(self, build: Any) -> None:
        self.values: list[Any] = []
        made = tables()
        self._rules, self._table, self._end = made["rules"], made["states"], made["end"]
        self._states = [made["start"]]
        self._methods = [method and getattr(build, method) for _, _, method, _, _ in self._rules]

    def feed(self, t: Token) -> Any:
        """Take a token that can stand here; returns the complete result for the last token."""
        while (action := self._table[self._states[-1]][t.type]) < 0:
            self._reduce(~action)
            if t.type == LAST and self._states[-1] == self._end:
                return self.values[-1]
        self._states.append(action)
        self.values.append(t)
        return None

    def _reduce(self, number: int) -> None:
        side, length, _, children, single = self._rules[number]
        begin = len(self.values) - length
        symbols = self.values[begin:]
        del self.values[begin:], self._states[begin + 1 :]
        made: list[Any] = []
        for child in children:
            if child is None or child >= 0:
                made.append(None if child is None else symbols[child])
            elif made:
                made += symbols[~child]
            else:  # not copied: a list that grows by one at each reduction would take quadratic time
                made = symbols[~child]
        method = self._methods[number]
        self.values.append(made[0] if single else method(*made) if method else made)
        self._states.append(self._table[self._states[-1]][side])

    def walk(self, tokens: list[Token]) -> int:
        """The number of `tokens` that could be taken from here on; doesn't change the machine."""
        stack = self._states[:]
        for accepted, t in enumerate(tokens):
            while True:
                action = self._table[stack[-1]].get(t.type)
                if action is None:
                    return accepted
                if action >= 0:
                    stack.append(action)
                    break
                side, length, *_ = self._rules[~action]
                del stack[len(stack) - length :]
                stack.append(self._table[stack[-1]][side])
                if t.type == LAST and stack[-1] == self._end:
                    return accepted + 1
        return len(tokens)

    def kinds(self) -> list[str]:
        """The kinds of token that can come next, and some that can't once rules are reduced. (Kinds are in upper case, left sides of rules
        in lower case.)"""
        return [kind for kind in self._table[self._states[-1]] if kind.isupper()]
