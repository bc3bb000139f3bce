"""What a program finds when it begins: one packet and the tables as they are, or any packet and tables with any contents."""

import bisect
from collections.abc import Mapping

from clickbpf.objects.manifest import Manifest
from clickbpf.prove import terms
from clickbpf.prove.values import Term, Word, variable

#: Offsets of headers and lengths are below this.
WIDTH = 16


class Given:
    """One packet, and maps with these contents."""

    def __init__(self, packet: bytes, maps: Mapping[str, bytes | memoryview]):
        self.packet, self.maps = packet, maps

    def byte(self, region: tuple, _base: None, offset: int, _version: int = 0) -> int:
        if region[0] == "packet":
            return self.packet[offset] if 0 <= offset < len(self.packet) else 0
        content = self.maps.get(region[1], b"") if region[0] == "value" else b""
        return content[offset] if 0 <= offset < len(content) else 0

    def any(self, name: str, width: int) -> int:
        return 0


class Any:
    """Any packet of a length between the bounds, any contents of tables. `fixed` has the maps whose contents are given.

    A table's byte is a variable that is named after its element and state, so that it is the same one in every router that has it; and
    `origin` has the place of each such variable that was made.
    """

    def __init__(self, manifest: Manifest, fixed: Mapping[str, Mapping[int, Word]], shortest: int, longest: int):
        self.fixed = fixed
        self.length = terms.extend(64, variable("length", WIDTH, shortest, longest), WIDTH)
        self.origin: dict[str, tuple[str, Term | None, int]] = {}
        self._loose = {entry.name for entry in manifest.maps if entry.per_slot or entry.role == "handed"}
        self._states: dict[str, list[tuple[int, str]]] = {}
        for entry in sorted(manifest.states, key=lambda entry: entry.offset):
            self._states.setdefault(entry.map, []).append((entry.offset, f"{entry.element}.{entry.state}"))

    def byte(self, region: tuple, base: Term | None, offset: int, version: int = 0) -> Word:
        if region[0] == "packet" and base is None:
            return variable(f"packet[{offset}]", 8)
        if region[0] == "packet":
            return variable(f"packet@{base.number}[{offset}] {version}", 8)
        if region[0] != "value":
            return variable(f"{region[0]}{region[1:]}[{offset}]", 8)
        fixed = self.fixed.get(region[1], {}).get(offset) if base is None and not version else None
        if fixed is not None:
            return fixed
        name = self._name(region[1], base, offset)
        if version:
            name = f"{name} after {version}"
        else:
            self.origin[name] = region[1], base, offset
        return variable(name, 8, loose=region[1] in self._loose)

    def _name(self, table: str, base: Term | None, offset: int) -> str:
        states = self._states.get(table, [])
        at = bisect.bisect_right(states, (offset, "\x7f")) - 1
        start, state = states[at] if at >= 0 else (0, table)
        index = "" if base is None else f"@{base.number}"
        return f"{state}{index}[{offset - start}]"

    def any(self, name: str, width: int) -> Word:
        return variable(name, width, loose=True)
