"""Watch a loaded router: its elements' rates, queues and drops. On a terminal `q` quits, `s` changes the order, arrows scroll."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict

from clickbpf.cli.flags import add_json, seconds
from clickbpf.cli.output import print_line, print_table, say, spell_time
from clickbpf.cli.screen import KEYS, View, watch

#: Lines of the screen that aren't elements.
AROUND = 5
HEADS = ("ELEMENT", "CLASS", "RUNS", "PACKETS", "KERNEL/S", "RUNTIME/S", "HOLDS", "DROPPED", "DROPS/S", "REASON")
NUMBERS, DROPS = range(3, 9), ("DROPPED", "DROPS/S", "REASON")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="the router's name (may be left out if only one is loaded)")
    parser.add_argument("-d", "--delay", metavar="SECONDS", type=seconds, default=1.0, help="seconds to measure rates over (default 1)")
    parser.add_argument("--once", action="store_true", help="print once, with all elements that count, hold or drop packets")
    cost = "print once what elements cost: nanoseconds a packet, by tracing at most 20,000 packets, and their share of the total"
    parser.add_argument("--cost", action="store_true", help=cost)
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose
    from clickbpf.observe.rates import periods

    if options.cost:
        return _costs(options)
    seen = periods(choose(options.name), options.delay)
    if options.json:
        for period in seen:
            print_line(_plain(period))
            if options.once:
                return
    elif options.once:
        period = next(seen)
        print(_head(period), _load(period), "", sep="\n")
        print_table(HEADS, _rows(period.elements))
    else:
        watch(seen, _page)


def _costs(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose
    from clickbpf.observe.traced.costs import measure, plain

    name = choose(options.name)
    say(f"counting the run time of {name} for {options.delay:g} s")
    found = measure(name, options.delay, lambda: say(f"tracing {name} for {options.delay:g} s"))
    if not found.elements:
        say("no packets came")
    elif found.packet is not None:
        say(f"a packet takes {found.packet:.0f} ns in the kernel path, by the kernel's statistics")
    else:
        say("the kernel's statistics aren't known: only the order and the shares are true")
    rows = plain(found.elements)
    if options.json:
        print_line(rows)
        return
    rows = [(c["element"], c["class_name"], c["runs"], str(c["packets"]), *_spelt(c["nanoseconds"], c["share"])) for c in rows]
    print_table(("ELEMENT", "CLASS", "RUNS", "PACKETS", "NS/PACKET", "SHARE"), rows)


def _spelt(each: float | None, share: float) -> tuple[str, str]:
    return ("", "") if each is None else (f"{each:.0f}", f"{share:.0%}")


def _plain(period) -> dict:
    now = period.now
    usage = asdict(now.usage) if now.usage else None
    head = {"router": now.loaded.name, "state": now.loaded.state, "code": now.loaded.code, "uptime": now.loaded.uptime}
    return {**head, "cpu_share": period.cpu, "runtime": usage, "elements": [asdict(element) for element in period.elements]}


def _page(period, view: View, height: int):
    from rich.console import Group
    from rich.text import Text

    table = _table(view.shown(period.elements, height - AROUND))
    return Group(Text(_head(period), style="bold"), Text(_load(period)), Text(KEYS.format(order=view.order), style="dim"), table)


def _head(period) -> str:
    loaded = period.now.loaded
    up = f", up {spell_time(loaded.uptime)}" if loaded.uptime is not None else ""
    return f"{loaded.name}: {loaded.condition}{up}, {loaded.mode or 'no'} XDP on {', '.join(loaded.devices.values())}"


def _load(period) -> str:
    """The rates of each executor's busiest element, and of drops."""
    kernel, runtime = (max((getattr(e, f"{which}_rate") for e in period.elements), default=0) for which in ("kernel", "runtime"))
    usage, drops = period.now.usage, sum(e.drop_rate for e in period.elements)
    process = f" ({period.cpu:.0%} of a CPU, {usage.resident >> 20} MiB)" if usage else " (not running)"
    return f"busiest element: kernel {_number(kernel)}/s, runtime {_number(runtime)}/s{process}; dropped {_number(drops)}/s"


def _table(elements: Sequence):
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, head in enumerate(HEADS):
        table.add_column(head, no_wrap=True, justify="right" if number in NUMBERS else "left", style="red" if head in DROPS else None)
    for row in _rows(elements):
        table.add_row(*map(Text, row))
    return table


def _rows(elements: Sequence) -> list[tuple[str, ...]]:
    """The rows of the table, one for each element."""
    return [
        (
            *(e.element, e.class_name, e.runs, "" if e.total is None else str(e.total)),
            *(_number(rate) if rate else "" for rate in (e.kernel_rate, e.runtime_rate)),
            "" if e.holds is None else str(e.holds),
            str(e.dropped) if e.reason else "",
            _number(e.drop_rate) if e.drop_rate else "",
            e.reason,
        )
        for e in elements
    ]


def _number(value: float) -> str:
    """A rate in short: 12, 3.4k, 1.20M."""
    for size, unit, digits in ((1e9, "G", 2), (1e6, "M", 2), (1e4, "k", 1)):
        if value >= size:
            return f"{value / (size if unit != 'k' else 1e3):.{digits}f}{unit}"
    return f"{value:.0f}"
