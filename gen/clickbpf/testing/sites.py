"""The PUNTs of an element by file and line, including those in headers and in generated code.

They are found in the preprocessed text of the kernel path, whose line markers give the origin of each line. In that text each PUNT is
replaced so that a test run records which one it reached.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from clickbpf.build.bpf import preprocess
from clickbpf.compile import Compilation
from clickbpf.objects.cnames import c_names
from clickbpf.testing.executors.bpf import Bpf, built

_MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"')
_WORD = re.compile(r"\bPUNT\b")


@dataclass(frozen=True, order=True)
class Site:
    """A PUNT. As text it is the file ("" for generated code), the line and, if that only returns, the line before:
    `truncate.inc.h: if (!USERSPACE && kept < ETH_HLEN) return PUNT;`."""

    file: Path
    line: int
    made: bool = False

    def __str__(self) -> str:
        lines = [line.strip() for line in _lines(self.file)[: self.line]]
        said = lines[-2:] if lines[-1].startswith("return PUNT") else lines[-1:]
        return f"{'' if self.made else self.file.name}: {' '.join(said)}"

    @property
    def without_state(self) -> bool:
        """Whether this PUNT only follows a test that the verifier wants: an index beyond the element's own state, which doesn't happen."""
        said = re.search(r"if \((!\w+(?: \|\| !\w+)*)\) return PUNT;$|return (\w+) \? .* : PUNT;$", str(self))
        names = re.findall(r"\w+", said[1] or said[2]) if said else ()
        text = "\n".join(_lines(self.file)[: self.line])
        return bool(names) and all(re.search(rf"\b{name} = at\(", text) for name in names)


def punt_sites(compilation: Compilation, element: str) -> tuple[Site, ...]:
    """All PUNTs in the text of an element that runs in the kernel, in order; those of a header that is included twice appear once."""
    return tuple(_marked(compilation, element)[1])


def observed(element: str) -> type[Bpf]:
    """An executor with a kernel path that records which PUNT the element reaches. `sites` are all its PUNTs."""

    class Observed(Bpf):
        def build(self, compilation: Compilation, defined: str) -> bytes:
            text, self.sites = _marked(compilation, element, defined)
            return built(text, compilation.manifest)

        @property
        def site(self) -> Site | None:
            """The PUNT that the last packet reached, if any."""
            return self.sites[self.punt - 1] if self.punt else None

    return Observed


def _marked(compilation: Compilation, element: str, defined: str = "") -> tuple[str, list[Site]]:
    """The preprocessed text with the element's PUNTs numbered from 1, and their sites in that order."""
    text = preprocess(f"#define PUNT PUNT\n{defined}{compilation.bpf_text}")
    name = re.escape(c_names(compilation.checked.instances)[element])
    own = re.search(rf"enum {{ {name}_device .*?\b{name}\(struct pkt \*p, const int input\)\s*\{{", text, re.DOTALL)
    begin, end = own.span() if own else (0, 0)  # it runs in user space
    sites: list[Site] = []
    source, file, number, place, lines = None, "", 0, 0, []
    for line in text.splitlines(keepends=True):
        marker = _MARKER.match(line)
        inside, place = begin <= place < end, place + len(line)
        if marker:
            number, file = int(marker[1]), marker[2]
            source = source or file
        else:
            if inside and _WORD.search(line):
                site = Site(Path(file), number, file == source)
                sites += [site] if site not in sites else []
                line = _WORD.sub(f"trace_punt({sites.index(site) + 1})", line)
            line = _WORD.sub("-1", line)
            number += 1
        lines.append(line)
    return "".join(lines), sites


@cache
def _lines(file: Path) -> list[str]:
    return file.read_text().splitlines()
