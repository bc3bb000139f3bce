"""Draws what the Click paper's quality-of-service routers do (Figures 10, 15 and 20), in simulated time.

    python -m tests.bench.curves [--chart build/curves.png]

Each curve is a configuration of configs/papers under ever more load: what comes out over what is offered. Nothing is
measured of this machine, so the curves are the same everywhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

import matplotlib
from tests.configs.traffic import PAPERS, Stream, datagram, has_source, has_tos, macs, offer

from clickbpf.testing.router import Router

matplotlib.use("Agg")
from matplotlib import pyplot, ticker

#: Names of curves, each with its points.
Curves = dict[str, list[float]]
POLITE, FLOOD = "10.0.0.2", "10.0.0.3"


def fairness(rates: Iterable[float]) -> Curves:
    """Bytes per second of a sender of 20 kB/s on a link of 100 kB/s that another one floods, with SFQ and with one queue."""
    one_queue = (PAPERS / "iprouter-sfq.click").read_text().replace("SFQ(26, 8, 50)", "Queue(400)")
    for library in ("interface", "sfq"):
        one_queue = one_queue.replace(f"lib/{library}.click", str(PAPERS / "lib" / f"{library}.click"))
    curves: Curves = {"with SFQ": [], "with one queue": []}
    for rate in rates:
        for name, configuration in zip(curves, (PAPERS / "iprouter-sfq.click", one_queue)):
            with Router(configuration, simtime=True, devices=macs(2), variables={"LINK1": "100kBps"}) as router:
                router.write("p1/arpq.insert", "10.0.1.2 02:00:00:00:00:22")
                # 190 packets a second, so that the two senders don't march in step.
                streams = [Stream("eth0", datagram(src=POLITE, length=105), 190), Stream.of_bytes("eth0", datagram(src=FLOOD), rate)]
                curves[name].append(offer(router, streams, 2).bytes_rate("eth1", has_source(POLITE)))
    return curves


def conditioned(rates: Iterable[float]) -> Curves:
    """Packets per second of each DiffServ class when so many are offered of each."""
    codes = {"A, dropped": 10, "B, shaped": 12, "C, reclassified": 14, "D, best effort": 0}
    curves: Curves = {name: [] for name in codes}
    for rate in rates:
        with Router(PAPERS / "diffserv.click", simtime=True) as router:
            out = offer(router, [Stream("eth0", datagram(code << 2), rate) for code in codes.values()], 0.3, settle=0.2)
        for name, code in codes.items():
            curves[name].append(out.rate("eth1", has_tos(code << 2)))
    return curves


def priorities(rates: Iterable[float]) -> Curves:
    """Packets per second of each priority when so many are offered of each."""
    kinds = {"high": 0xB8, "medium": 0x28, "low": 0}
    curves: Curves = {name: [] for name in kinds}
    for rate in rates:
        with Router(PAPERS / "priority.click", simtime=True) as router:
            out = offer(router, [Stream("eth0", datagram(tos), rate) for tos in kinds.values()], 1, settle=0.5)
        for name, tos in kinds.items():
            curves[name].append(out.rate("eth1", has_tos(tos)))
    return curves


#: Title, unit, what is offered, and what makes the curves.
FIGURES: tuple[tuple[str, str, list[float], Callable[[Iterable[float]], Curves]], ...] = (
    ("A polite sender beside a flood (Figure 10)", "bytes/s", [20e3 * n for n in range(0, 21, 2)], fairness),
    ("DiffServ traffic conditioner (Figure 15)", "packets/s", [2500.0 * n for n in range(1, 16)], conditioned),
    ("Strict priorities, the highest limited (Figure 20)", "packets/s", [500.0 * n for n in range(1, 12)], priorities),
)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--chart", type=Path, default=Path("build/curves.png"), help="chart (default: %(default)s)")
    path = arguments.parse_args().chart
    figure, axes = pyplot.subplots(1, len(FIGURES), figsize=(15, 4.2), layout="constrained")
    for axis, (title, unit, offered, measure) in zip(axes, FIGURES, strict=True):
        for name, values in measure(offered).items():
            axis.plot(offered, values, marker=".", label=name)
        for scale in (axis.xaxis, axis.yaxis):
            scale.set_major_formatter(ticker.EngFormatter())
        axis.set_title(title, loc="left")
        axis.set_xlabel(f"offered, {unit}")
        axis.set_ylabel(f"sent, {unit}")
        axis.set_ylim(bottom=0)
        axis.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
    print(f"{path} written")


if __name__ == "__main__":
    main()
