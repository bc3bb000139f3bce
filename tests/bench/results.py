"""What suites find, as values: medians, lowest and highest of the rounds, ratios; as tables, and as JSON has them."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field

from rich.console import Console
from rich.table import Table
from tests.bench.effort import Effort


@dataclass(frozen=True)
class Suite:
    """What `measure` finds: (name, value), which is one value or, in a list, one of each round. `reference` is the name whose value the
    others are compared with. With `along`, what the points of curves lie along, it finds (curve, point, value), and the reference
    is a curve."""

    name: str
    title: str
    unit: str
    reference: str
    measure: Callable[[Effort], Iterable[tuple]]
    more_is_better: bool = False
    along: str = ""


@dataclass
class Result:
    """What a suite has found. `spread` has the lowest and the highest value of several rounds, `values` their median."""

    name: str
    title: str
    unit: str
    reference: str
    more_is_better: bool
    along: str
    values: dict[str, float] = field(default_factory=dict)
    spread: dict[str, tuple[float, float]] = field(default_factory=dict)
    ratios: dict[str, float] = field(default_factory=dict)
    #: Names of `values`, by curve, with the point of each; empty without `along`.
    curves: dict[str, list[tuple[float, str]]] = field(default_factory=dict)

    def to_plain(self) -> dict:
        return asdict(self)


def measured(suite: Suite, effort: Effort) -> Result:
    result = Result(suite.name, suite.title, suite.unit, suite.reference, suite.more_is_better, suite.along)
    references = {}
    for curve, *at, found in suite.measure(effort):
        name = f"{curve}, {at[0]:,g}" if at else curve
        rounds = found if isinstance(found, list) else [found]
        result.values[name] = statistics.median(rounds)
        if len(rounds) > 1:
            result.spread[name] = (min(rounds), max(rounds))
        if at:
            result.curves.setdefault(curve, []).append((at[0], name))
        references[name] = f"{suite.reference}, {at[0]:,g}" if at else suite.reference
    for name, reference in references.items():
        if compared := result.values.get(reference):
            result.ratios[name] = result.values[name] / compared
    return result


def show(result: Result) -> None:
    table = Table(title=result.title, title_justify="left")
    table.add_column(f"…, {result.along}" if result.along else "")
    for title in (result.unit, "lowest–highest", f"of {result.reference}"):
        table.add_column(title, justify="right")
    for name, value in result.values.items():
        spread = "–".join(map(number, result.spread.get(name, ())))
        ratio = result.ratios.get(name)
        table.add_row(name, number(value), spread, "" if ratio is None else f"{ratio:.2f}")
    Console().print(table)


def number(value: float) -> str:
    return f"{value:,.1f}" if abs(value) < 1000 else f"{value:,.0f}"
