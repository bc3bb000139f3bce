"""Runs the real programs by BPF_PROG_TEST_RUN, on a packet and tables that the solver has found."""

from __future__ import annotations

import weakref

from clickbpf.compile import Compilation
from clickbpf.frozen import frozen
from clickbpf.load.path.kernelpath import KernelPath
from clickbpf.objects.hooks import TC
from clickbpf.objects.manifest import MapEntry
from clickbpf.prove.evaluation import Values
from clickbpf.prove.explore import Explorer, Fate
from clickbpf.prove.worlds import table_name
from clickbpf.testing.executors.bpf import COPIED, DROPPED, HANDED, SENT, TO_HOST, Bpf
from clickbpf.testing.executors.tc import Tc

#: The test harness's verdicts for each fate.
VERDICTS = {Fate.SENT: (SENT, COPIED), Fate.HOST: (TO_HOST,), Fate.HANDED: (HANDED,), Fate.DROPPED: (DROPPED,)}
ETHER = 6
#: Roles of the maps that programs write.
RESTORED = ("state", "drops", "handed")


@frozen
class Example:
    """A packet and its fate on the real datapath; `devices` are those by which it was sent; in a network, `way` has those at which it has
    arrived."""

    device: str
    packet: bytes
    fate: Fate
    devices: tuple[str, ...]
    after: bytes
    #: (element, reason) of the drops counted.
    reasons: tuple[tuple[str, str], ...]
    #: (device, bytes) of the runtime's packets, if it was handed over.
    later: tuple[tuple[str, bytes], ...] = ()
    way: tuple[str, ...] = ()


@frozen
class _Copy:
    """A Source (testing/executors/source.py) with an existing compilation."""

    made: Compilation
    options: tuple = ()
    threads: int = 1

    def compile(self) -> Compilation:
        return self.made.anew()


class Running:
    """A router that is started once for many replays, each of which finds the maps as they were then. (The runtime's own memory isn't
    restored: after a handover the router is started anew.)"""

    def __init__(self, made: Compilation, addresses: tuple[str, ...]):
        self.addresses, self.router = addresses, _started(made, addresses)
        weakref.finalize(self, self.router.close)
        names = [entry.name for entry in made.manifest.maps if entry.role in RESTORED]
        self._before = {name: bytes(self.router.kernel.memory(name)[0]) for name in names}

    @classmethod
    def of(cls, explorer: Explorer, values: Values) -> Bpf:
        """The explored router, with the solver's addresses of devices and tables."""
        addresses = tuple(_address(each, values) for each in explorer.devices)
        if explorer.running is None or explorer.running.addresses != addresses:
            explorer.running = cls(explorer.made, addresses)
        running = explorer.running
        for name, content in running._before.items():
            running.router.kernel.memory(name)[0][:] = content
        _put_tables(running.router, explorer, values)
        return running.router


def replay(explorer: Explorer, device: str, values: Values, packet: bytes | None = None, again: bool = False) -> Example:
    """Run the router on the packet and tables with these values, or on another packet, or `again` with the tables of its last run;
    ClickError if this machine can't."""
    if packet is None:
        packet = bytes(values.of(explorer.before.byte(place)) for place in range(values.of(explorer.world.length)))
    router = explorer.running.router if again else Running.of(explorer, values)
    own = explorer.made.devices[explorer.devices.index(device)]
    verdict, to, after = router.run(own, packet)
    devices = (explorer.devices[to],) if verdict == SENT else ()
    devices = tuple(explorer.devices[index] for index in router.kernel.manifest.copy_sets[to]) if verdict == COPIED else devices
    fate = next(fate for fate, verdicts in VERDICTS.items() if verdict in verdicts)
    later = _by_runtime(router, own, after) if verdict == HANDED else ()
    reasons = tuple((f"{explorer.own}{element}", reason) for element, reason in router.drops())
    if verdict == HANDED:
        explorer.running = None
    return Example(device, packet, fate, devices, b"" if verdict == HANDED else after, reasons, later)


def _by_runtime(router: Bpf, device: str, frame: bytes) -> tuple[tuple[str, bytes], ...]:
    """The packets that the runtime sends for a handover."""
    router.runtime.handover(frame, device)
    return tuple((output.device, output.data) for output in router.collect())


def _started(made: Compilation, addresses: tuple[str, ...]) -> Bpf:
    return (Tc if made.options.hook == TC else Bpf)(_Copy(made), dict(zip(made.devices, addresses)))


def _address(device: str, values: Values) -> str:
    first = values.given.get(f"address of {device}[0]", 1)
    rest = [values.given.get(f"address of {device}[{at}]", 0) for at in range(1, ETHER)]
    return ":".join(f"{byte:02x}" for byte in ((first & 0x7F) << 1, *rest))


def _put_tables(router: Bpf, explorer: Explorer, values: Values) -> None:
    """Write the solver's tables into their maps."""
    present = {entry.name for entry in router.kernel.manifest.maps if is_table(entry)}
    states = {table_name(entry): (entry.map, entry.offset) for entry in router.kernel.manifest.states}
    for entry in router.kernel.manifest.states:
        content = explorer.tables.get(table_name(entry))
        if content is not None:
            room = router.kernel.memory(entry.map)[0][entry.offset : entry.offset + len(content)]
            room[:] = content[: len(room)]
    for name, (state, base, offset) in explorer.world.origin.items():
        value, (table, start) = values.given.get(name), states.get(state, (state, 0))
        if value is None or table not in present:
            continue
        place = start + offset + (values.of(base) if base is not None else 0)
        place = place - (1 << 64) if place >> 63 else place
        memory, _ = router.kernel.memory(table)
        if 0 <= place < len(memory):
            memory[place] = value


def is_table(entry: MapEntry) -> bool:
    """Whether a map has state that elements share among CPUs, such as flow tables, and not per-CPU counts."""
    return entry.role == "state" and not entry.per_slot


def tables_of(path: KernelPath) -> dict[str, bytes]:
    """The current tables of a kernel path."""
    found, kinds = {}, {entry.name: entry for entry in path.manifest.maps}
    for entry in path.manifest.states:
        if is_table(kinds[entry.map]):
            memory = path.memory(entry.map)[0]
            after = [each.offset for each in path.manifest.states if each.map == entry.map and each.offset > entry.offset]
            found[table_name(entry)] = bytes(memory[entry.offset : min(after, default=len(memory))])
    return found


def initial_tables(made: Compilation) -> dict[str, bytes]:
    """The tables of a router that has just started."""
    router = _started(made, ())
    try:
        return tables_of(router.kernel)
    finally:
        router.close()
