"""Tables of routes against longest-prefix match as its definition says it."""

from collections.abc import Iterable, Iterator
from types import SimpleNamespace

from clickbpf.runtime.memory import plain_view


def memory_of(class_: type, capacity: int, chunks: int) -> SimpleNamespace:
    """State of a table, as a runtime makes it."""
    element = SimpleNamespace(cfg=SimpleNamespace(capacity=capacity, chunks=chunks))
    return SimpleNamespace(**{name: plain_view(kind, kind.entries(element, 1)) for name, kind in class_.state_types.items()})


def longest_match(routes: Iterable, address: int):
    return max((r for r in routes if r.contains(address)), key=lambda r: r.mask, default=None)


def borders(routes: Iterable, bits: int) -> Iterator[int]:
    """Addresses at and beside the borders of all routes, where anything that is wrong shows."""
    for r in routes:
        last = r.addr | ~r.mask & ((1 << bits) - 1)
        yield from (address for address in (r.addr - 1, r.addr, last, last + 1) if 0 <= address < 1 << bits)


def change(table, known: dict, what: str, route) -> None:
    """Change a table and the expected routes by prefix; the latter only if the change succeeds."""
    prefix = route[:2]
    if what == "add" and prefix not in known:
        table.add(route)
        known[prefix] = route
    elif what == "replace" and prefix in known:
        table.replace(route)
        known[prefix] = route
    elif what == "remove" and prefix in known:
        table.remove(route)
        del known[prefix]
    elif what == "clear":
        table.clear()
        known.clear()
