"""Draws what suites have found: bars, or curves, with lines from the lowest to the highest of the rounds."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import matplotlib
from tests.bench.results import Result

matplotlib.use("Agg")
from matplotlib import pyplot, ticker


def draw(results: list[Result], path: Path) -> None:
    heights = [3.6 if result.along else 0.8 + 0.3 * len(result.values) for result in results]
    ratios = {"height_ratios": heights}
    figure, axes = pyplot.subplots(len(results), 1, figsize=(10, sum(heights)), layout="constrained", squeeze=False, gridspec_kw=ratios)
    for axis, result in zip(axes[:, 0], results, strict=True):
        (_curves if result.along else _bars)(axis, result)
        axis.set_title(result.title, loc="left")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def _bars(axis, result: Result) -> None:
    names = list(result.values)[::-1]
    axis.barh(names, [result.values[name] for name in names], xerr=_errors(result, names), capsize=2)
    axis.set_xlabel(result.unit)
    axis.xaxis.set_major_formatter(ticker.EngFormatter())


def _curves(axis, result: Result) -> None:
    for curve, points in result.curves.items():
        along, names = zip(*points)
        axis.errorbar(along, [result.values[name] for name in names], yerr=_errors(result, names), marker=".", capsize=2, label=curve)
    if max(along) >= 1000 * max(1, min(along)):
        axis.set_xscale("log")
    for scale in (axis.xaxis, axis.yaxis):
        scale.set_major_formatter(ticker.EngFormatter())
    axis.set_xlabel(result.along)
    axis.set_ylabel(result.unit)
    axis.set_ylim(bottom=0)
    axis.legend()


def _errors(result: Result, names: Iterable[str]) -> list[list[float]]:
    """Distances from the medians to the lowest and to the highest values."""
    found = [(result.values[name], *result.spread.get(name, (result.values[name],) * 2)) for name in names]
    return [[value - low for value, low, _ in found], [high - value for value, _, high in found]]
