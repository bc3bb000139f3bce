"""Asks z3 whether conditions can hold together; z3 is imported at the first question."""

import os
import re
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from typing import Any

from clickbpf.errors import ClickError
from clickbpf.interrupts import INTERRUPTS
from clickbpf.prove import terms
from clickbpf.prove.values import Term, Truth, inside, make, variable

#: The limit for one question in z3's resource units, some five million a second. A time limit would make answers depend on the machine's
#: load.
PATIENCE = 60_000_000
#: The same for whether a path is possible, which nearly always takes a fiftieth of this. If not, the path counts as possible.
QUICK = 3_000_000
#: How often a question is asked again, with more facts about tables.
MOST_ROUNDS = 100

Facts = Callable[[Mapping[str, int]], list[Truth]]


@cache
def z3() -> Any:
    try:
        import z3 as library
    except ImportError:
        raise ClickError("this needs z3", hint="install z3-solver beside clickbpf: its extra [prove]") from None
    if threading.current_thread() is threading.main_thread():
        arrived, wakeup = os.pipe()
        os.set_blocking(wakeup, False)
        signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
        threading.Thread(target=_interrupted, args=(library.main_ctx(), arrived), daemon=True).start()
    return library


def _interrupted(context: Any, arrived: int) -> None:
    """Have z3 give up when an interrupt arrives, since Python calls its handler only then. One that arrives just before a question is
    repeated."""
    while number := os.read(arrived, 1):
        for _ in range(10 if number[0] in INTERRUPTS else 0):
            context.interrupt()
            time.sleep(0.1)


def new_solver(logic: str | None = None, patience: int | None = None) -> Any:
    """z3's solver with our limit. It leaves Ctrl-C to Python."""
    solver = z3().SolverFor(logic) if logic else z3().SimpleSolver()
    solver.set("rlimit", PATIENCE if patience is None else patience)
    solver.set("ctrl_c", False)
    return solver


_VALUE = re.compile(r"\(define-fun (\|[^|]*\||\S+) \(\) \(_ BitVec \d+\)\s+(#[xb][0-9a-f]+)\)")


class Undecided(Exception):
    """The solver gave up."""


class Solver:
    """Keeps the common conditions of consecutive questions, of which there are many, since paths are explored depth first."""

    def __init__(self):
        self._solver = new_solver()
        self._stack: list[Term] = []

    def model(self, conditions: Sequence[Term], *more: Term, patience: int = PATIENCE) -> dict[str, int] | None:
        """Values of the variables for which all conditions hold; None if there are none."""
        self._solver.set("rlimit", patience)
        self._settle(conditions)
        self._solver.push()
        try:
            for condition in more:
                self._solver.add(solver_term(condition))
            return _values(self._solver)
        finally:
            self._solver.pop()

    def once(self, conditions: Sequence[Term | bool], facts: Facts = lambda _: [], patience: int = PATIENCE) -> dict[str, int] | None:
        """Like model(), for conditions unrelated to the previous ones. `facts` are truths that some values contradict: with these the
        question is asked again."""
        solver, more = new_solver("QF_BV", patience), conditions
        for _ in range(MOST_ROUNDS):
            solver.add(*map(solver_term, more))
            found = _values(solver)
            more = [] if found is None else facts(found)
            if not more:
                return found
        raise Undecided(f"more than {MOST_ROUNDS} rounds")

    def excludes(self, conditions: Sequence[Term], patience: int) -> bool:
        """Whether the conditions can't hold together even if each checksum were an arbitrary number, or if the common part of several
        checksums were. Only a sum's ones' complement counts, a number of 16 bits (RFC 1071, section 2), so comparing headers that differ in
        one word is fast."""
        folds = [term for term in _parts(conditions) if term.op == "fold"]
        if self._contradict(conditions, [(fold, variable(f"checksum {fold.number}", 16)) for fold in folds], patience):
            return True
        sums = _sums(conditions)
        asked = _sums(conditions[-1:]) or sums
        pairs = [set(one.args[0]) & set(other.args[0]) for one in asked for other in sums - {one}]
        common = max(pairs, key=len, default=set())
        if len(common) < 2:
            return False
        sums = {each for each in sums if common <= set(each.args[0])}
        shared = terms.extend(64, variable("what sums have in common", 16), 16)
        others = [terms.total(64, [(shared, 1), *(set(each.args[0]) - common)], each.args[1]) for each in sums]
        instead = [(make("fold", 16, (one,)), make("fold", 16, (other,))) for one, other in zip(sums, others)]
        return self._contradict(conditions, instead, patience)

    def _contradict(self, conditions: Sequence[Term], instead: Sequence[tuple[Term, Term]], patience: int) -> bool:
        """Whether the conditions can't hold together after replacing some terms by others."""
        pairs = [(solver_term(each), solver_term(other)) for each, other in instead]
        solver = new_solver("QF_BV", patience)
        solver.add(*(z3().substitute(solver_term(each), *pairs) for each in conditions))
        return solver.check() == z3().unsat

    def _settle(self, conditions: Sequence[Term]) -> None:
        same = 0
        while same < min(len(conditions), len(self._stack)) and conditions[same] is self._stack[same]:
            same += 1
        if len(self._stack) > same:
            self._solver.pop(len(self._stack) - same)
            del self._stack[same:]
        for condition in conditions[same:]:
            self._solver.push()
            self._solver.add(solver_term(condition))
            self._stack.append(condition)


def _values(solver: Any) -> dict[str, int] | None:
    answer = solver.check()
    if answer == z3().unknown:
        raise Undecided(solver.reason_unknown())
    if answer == z3().unsat:
        return None
    found = _VALUE.findall(solver.model().sexpr())  # reading the values one by one takes ten times as long
    return {name.strip("|"): int("0" + digits.replace("#", ""), 0) for name, digits in found}


def _sums(conditions: Sequence[Term]) -> set[Term]:
    """The sums of which only the ones' complement counts."""
    return {term.args[0] for term in _parts(conditions) if term.op == "fold" and term.args[0].op == "sum"}


def _parts(conditions: Sequence[Term]) -> list[Term]:
    """All terms in the conditions, each once."""
    found, pending = {}, list(conditions)
    while pending:
        term = pending.pop()
        if term not in found:
            found[term] = None
            pending += inside(term.args)
    return list(found)


def solver_term(term: Term | int | bool, width: int = 0) -> Any:
    if isinstance(term, bool):
        return z3().BoolVal(term)
    if isinstance(term, int):
        return z3().BitVecVal(term, width)
    if term.solver is None:
        term.solver = _made(term, term.width, term.args)
    return term.solver


def _made(term: Term, width: int, args: tuple) -> Any:
    library = z3()
    match term.op:
        case "var":
            return library.BitVec(args[0], width)
        case "cat":
            return library.Concat(*(solver_term(part, size) for size, part in args))
        case "ex":
            return library.Extract(args[1], args[2], solver_term(args[0]))
        case "sx":
            return library.SignExt(width - args[0].width, solver_term(args[0]))
        case "sum":
            parts, constant = args
            made = [solver_term(part) if factor == 1 else solver_term(part) * library.BitVecVal(factor, width) for part, factor in parts]
            return sum(made[1:], made[0]) + library.BitVecVal(constant, width) if constant else sum(made[1:], made[0])
        case "ite":
            return library.If(solver_term(args[0]), solver_term(args[1], width), solver_term(args[2], width))
        case "not":
            return library.Not(solver_term(args[0]))
        case "all":
            return library.And(*map(solver_term, args))
        case "udiv" | "urem" | "mul":  # no decision of a router depends on these; an arbitrary value includes the real one
            return library.BitVec(f"{term.op}{term.number}", width)
        case "xor" if all(isinstance(arg, Term) for arg in args) and any(map(_mixes, args)):  # likewise for hashes
            return library.BitVec(f"xor{term.number}", width)
        case "fold":
            word = solver_term(args[0])
            for bits in (32, 16, 16, 16):
                word = library.LShR(word, bits) + (word & ((1 << bits) - 1))
            return library.Extract(15, 0, word)
        case "within":
            word = solver_term(args[0])
            return library.And(library.UGE(word, args[0].low), library.ULE(word, args[0].high))
        case "slt":
            return solver_term(args[1], args[0]) < solver_term(args[2], args[0])
    size = width or next(arg.width for arg in args if isinstance(arg, Term))
    return reduce(_operations()[term.op], (solver_term(arg, size) for arg in args))


def _mixes(word: Term) -> bool:
    """Whether a word contains part of a sum of several words."""
    match word.op:
        case "sum":
            return len(word.args[0]) > 1
        case "ex":
            return _mixes(word.args[0])
        case "xor":
            return any(isinstance(part, Term) and _mixes(part) for part in word.args)
    return word.op == "cat" and any(isinstance(part, Term) and _mixes(part) for _, part in word.args)


@cache
def _operations() -> dict[str, Any]:
    library = z3()
    return {
        "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "shl": lambda a, b: a << b,
        "shr": library.LShR, "sar": lambda a, b: a >> b,
        "eq": lambda a, b: a == b, "ult": library.ULT,
    }  # fmt: skip
