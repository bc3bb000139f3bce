"""Metrics of loaded routers in OpenMetrics format, for Prometheus and other collectors.

    clickbpf_packets_total{router, element, class, executor}       packets counted by elements; likewise bytes, queries, ...
    clickbpf_length{router, element, class}                        packets in queues; likewise highwater_length, size, ...
    clickbpf_dropped_packets_total{router, element, class, reason}
    clickbpf_state{router}, clickbpf_code{router}, clickbpf_uptime_seconds{router}, clickbpf_cpu_seconds_total{router},
    clickbpf_resident_bytes{router}, clickbpf_descriptors{router}  the router, and its runtime's process

`executor` is "kernel" or "runtime". Totals are since the router was loaded: resets by handlers don't change what the kernel path
counts.
"""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from prometheus_client import CollectorRegistry, write_to_textfile
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric, StateSetMetricFamily
from prometheus_client.openmetrics.exposition import generate_latest
from prometheus_client.registry import Collector

from clickbpf.errors import ClickError
from clickbpf.load.files import places, states
from clickbpf.observe.serving import Server
from clickbpf.observe.snapshot import Number, Observer, Snapshot

#: Handlers whose metrics have a clearer name.
UNITS = {"count": "packets", "byte_count": "bytes"}
COUNTED = ("router", "element", "class", "executor")
HELD = ("router", "element", "class")
DROPPED = ("router", "element", "class", "reason")


class Routers(Collector):
    """Collects from the routers of these names, or by default from all loaded ones, whenever it is asked."""

    def __init__(self, names: Iterable[str] = ()):
        self._names = tuple(names)
        self._observers: dict[str, Observer] = {}
        self._lock = threading.Lock()

    def collect(self) -> Iterator[Metric]:
        with self._lock:
            snapshots = list(self._snapshots())
        yield from _elements(snapshots)
        yield from _routers(snapshots)

    def _snapshots(self) -> Iterator[Snapshot]:
        names = self._names or tuple(places.loaded())
        for gone in self._observers.keys() - set(names):
            self._observers.pop(gone).close()
        self._observers |= {name: Observer(name) for name in names if name not in self._observers}
        for observer in self._observers.values():
            with suppress(ClickError, OSError):  # the router is being loaded or unloaded
                yield observer.snapshot()


def text(names: Iterable[str]) -> str:
    """The current metrics, as OpenMetrics."""
    return generate_latest(_registry(names)).decode()


def write(names: Iterable[str], path: Path) -> None:
    """Replace a file atomically, in the older Prometheus text format for node exporter's textfile collector. ClickError on failure."""
    try:
        write_to_textfile(str(path), _registry(names))
    except OSError as error:  # it names the temporary file, not `path`
        raise ClickError(f"cannot write '{path}': {error.strerror}") from None


def serve(names: Iterable[str], address: str, port: int) -> threading.Thread:
    """Answer HTTP requests in the background; returns the thread."""
    thread = threading.Thread(target=Server(_registry(names), address, port).serve_forever, name="metrics", daemon=True)
    thread.start()
    return thread


def _registry(names: Iterable[str]) -> CollectorRegistry:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Routers(names))
    return registry


def _elements(snapshots: Sequence[Snapshot]) -> Iterator[Metric]:
    counts = ((each.name, (*_labels(of, each), each.executor), each.value) for of in snapshots for each in of.counts)
    yield from _families(CounterMetricFamily, "packets, bytes and the like that elements counted", COUNTED, counts)
    levels = ((each.name, _labels(of, each), each.value) for of in snapshots for each in of.levels)
    yield from _families(GaugeMetricFamily, "what elements hold", HELD, levels)
    drops = CounterMetricFamily("clickbpf_dropped_packets", "packets that elements dropped", labels=DROPPED)
    for snapshot in snapshots:
        for (element, reason), count in snapshot.dropped.items():
            drops.add_metric((snapshot.loaded.name, element, snapshot.classes.get(element, ""), reason), count)
    yield drops


def _labels(snapshot: Snapshot, number: Number) -> tuple[str, str, str]:
    return snapshot.loaded.name, number.element, number.class_name


def _families(kind: type[Metric], help_text: str, labels: Sequence[str], values: Iterable[tuple]) -> Iterator[Metric]:
    """One family for each name among `values`: name, labels' values, value."""
    families: dict[str, Metric] = {}
    for name, own, value in values:
        if name not in families:
            families[name] = kind(f"clickbpf_{UNITS.get(name, name)}", f"{help_text}: {name}", labels=labels)
        families[name].add_metric(own, value)
    yield from families.values()


def _routers(snapshots: Sequence[Snapshot]) -> Iterator[Metric]:
    state = StateSetMetricFamily("clickbpf_state", "how the router is", labels=("router",))
    code = StateSetMetricFamily("clickbpf_code", "how its runtime's code was compiled", labels=("router",))
    up = GaugeMetricFamily("clickbpf_uptime_seconds", "since its runtime's process began", labels=("router",), unit="seconds")
    cpu = CounterMetricFamily("clickbpf_cpu_seconds", "CPU time of its runtime's process", labels=("router",), unit="seconds")
    memory = GaugeMetricFamily("clickbpf_resident_bytes", "resident memory of that process", labels=("router",), unit="bytes")
    descriptors = GaugeMetricFamily("clickbpf_descriptors", "open descriptors of that process", labels=("router",))
    for snapshot in snapshots:
        router = (snapshot.loaded.name,)
        state.add_metric(router, {name: snapshot.loaded.state == name for name in states.STATES})
        if snapshot.loaded.code:
            code.add_metric(router, {name: snapshot.loaded.code == name for name in states.CODES})
        if snapshot.usage and snapshot.loaded.uptime is not None:
            up.add_metric(router, snapshot.loaded.uptime)
            cpu.add_metric(router, snapshot.usage.cpu)
            memory.add_metric(router, snapshot.usage.resident)
            descriptors.add_metric(router, snapshot.usage.descriptors)
    yield from (state, code, up, cpu, memory, descriptors)
