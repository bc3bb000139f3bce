"""`make bench`: measure ratios within one run, print a table, write JSON, draw a chart. No number here makes a test fail."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import added
import crossing
import forwarding
import hooks
import kernel
import matplotlib
import more
import native
import tables
from rich.console import Console
from rich.table import Table

matplotlib.use("Agg")
from matplotlib import pyplot

#: Title, unit, the row that the others are compared with, whether more is better, and what measures it.
SUITES = (
    ("One packet through the IP router's kernel path", "ns", kernel.WRITTEN, False, kernel.measure),
    ("The same without what a bare redirect takes", "ns", kernel.WRITTEN, False, kernel.measure_own_work),
    ("BPF instructions that the packet executes", "instructions", kernel.WRITTEN, False, kernel.count),
    ("One more element on a fused path", "ns", "Counter", False, more.measure),
    ("BPF instructions of one more element", "instructions", "Counter", False, more.count),
    ("One packet through the IP router's path in user space", "ns", native.BARE, False, native.measure),
    ("The slowest packet through a filter", "ns", tables.FEW_RULES, False, tables.measure_rules),
    ("A packet through a routing table", "ns", tables.FEW_ROUTES, False, tables.measure_routes),
    ("Loading a table", "s", tables.FEW_ROUTES, False, tables.measure_loads),
    ("Memory that loading it takes", "MB", tables.FEW_ROUTES, False, tables.measure_memory),
    ("Forwarding between two veth pairs", "packets/s", forwarding.CEILING, True, forwarding.measure),
    ("The IP router by hook", "packets/s", hooks.LINUX, True, hooks.measure),
    ("A router wholly in user space", "packets/s", forwarding.CEILING, True, crossing.measure),
    ("The IP router with one element more", "packets/s", added.WITHOUT, True, added.measure),
    ("Copies of each packet", "packets/s", added.SINGLE, True, added.measure_copies),
)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--json", type=Path, default=Path("build/bench.json"), help="results (default: %(default)s)")
    arguments.add_argument("--chart", type=Path, default=Path("build/bench.png"), help="chart (default: %(default)s)")
    chosen = arguments.parse_args()
    results = [measured(*suite) for suite in SUITES]
    for result in results:
        show(result)
    for path in (chosen.json, chosen.chart):
        path.parent.mkdir(parents=True, exist_ok=True)
    chosen.json.write_text(json.dumps(results, indent=1) + "\n")
    draw(results, chosen.chart)
    print(f"{chosen.json} and {chosen.chart} written")


def measured(title: str, unit: str, reference: str, more_is_better: bool, measure) -> dict:
    values = dict(measure())
    ratios = {name: value / values[reference] for name, value in values.items() if values[reference]}
    return {"title": title, "unit": unit, "reference": reference, "more_is_better": more_is_better, "values": values, "ratios": ratios}


def show(result: dict) -> None:
    table = Table(title=result["title"], title_justify="left")
    table.add_column("")
    table.add_column(result["unit"], justify="right")
    table.add_column(f"of {result['reference']}", justify="right")
    for name, value in result["values"].items():
        table.add_row(name, f"{value:,.1f}" if value < 1000 else f"{value:,.0f}", f"{result['ratios'][name]:.2f}")
    Console().print(table)


def draw(results: list[dict], path: Path) -> None:
    figure, axes = pyplot.subplots(len(results), 1, figsize=(9, 2.6 * len(results)), layout="constrained")
    for axis, result in zip(axes, results, strict=True):
        names = list(result["values"])[::-1]
        axis.barh(names, [result["values"][name] for name in names])
        axis.set_title(result["title"], loc="left")
        axis.set_xlabel(result["unit"])
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()
