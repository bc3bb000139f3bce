"""Searches for many texts at once: the automaton of Aho and Corasick (CACM 1975), which automaton.inc.h runs over a packet."""

from collections.abc import Sequence

from clickbpf.declare import ArgError, Array, Bytes, Element, PerThread, Rest, reset_handler, sum_handler, u16, u64

#: The most states of an automaton, one for each prefix of a text: 8 MB.
MOST = 1 << 14


def automaton(texts: Sequence[bytes]) -> tuple[list[list[int]], list[int]]:
    """For each state its successors by the next byte, and the number, from 1, of the first text that ends there, or 0. State 0 is
    the start; states where no text ends come first."""
    rows, found = _trie(texts)
    back, waiting = [0] * len(rows), [state for state in rows[0] if state]
    for state in waiting:
        row, shorter = rows[state], back[state]
        found[state] = min(filter(None, (found[state], found[shorter])), default=0)
        for byte in range(256):
            if row[byte]:
                back[row[byte]] = rows[shorter][byte]
                waiting.append(row[byte])
            else:
                row[byte] = rows[shorter][byte]
    order = sorted(range(len(rows)), key=lambda state: found[state] > 0)
    place = {state: number for number, state in enumerate(order)}
    return [[place[state] for state in rows[old]] for old in order], [found[old] for old in order]


def _trie(texts: Sequence[bytes]) -> tuple[list[list[int]], list[int]]:
    """The same without failure transitions; 0 for no successor."""
    rows, found = [[0] * 256], [0]
    for number, text in enumerate(texts, 1):
        state = 0
        for byte in text:
            if not rows[state][byte]:
                rows[state][byte] = len(rows)
                rows.append([0] * 256)
                found.append(0)
            state = rows[state][byte]
        found[state] = found[state] or number
    return rows, found


class StringElement(Element):
    """Base of StringMatcher and StringClassifier: its arguments are texts."""

    args = (Rest("STRING", Bytes(), "the texts, each of at least one byte; 16383 bytes in all", least=1),)
    state_types = {"states": Array(lambda element: len(element.rows), next=u16 * 256, found=u16), "counters": PerThread(matches=u64)}
    holds = ()
    weight = 200
    derived = {"silent": ("__u32", lambda self: self.found.count(0))}

    def configure(self) -> None:
        texts = self.cfg.string
        wrong = [ArgError(f"pattern {n} has no bytes", argument="STRING", index=n) for n, text in enumerate(texts) if not text]
        if wrong:
            raise ExceptionGroup("texts", wrong)
        if sum(map(len, texts)) >= MOST:
            raise ArgError(f"the patterns have {sum(map(len, texts))} bytes, of which {MOST - 1} are possible")
        self.rows, self.found = automaton(texts)

    def warnings(self) -> list[ArgError]:
        texts = self.cfg.string
        return [
            ArgError(f"pattern {n} is the same as pattern {texts.index(text)}", argument="STRING", index=n)
            for n, text in enumerate(texts)
            if text in texts[:n]
        ]

    def initialise(self) -> None:
        for state, row, found in zip(self.state.states, self.rows, self.found):
            state.next[:], state.found = row, found

    matches = sum_handler("counters", text="how many packets contained one of the texts")
    reset_count = reset_handler("counters", text="sets `matches` to 0.")
