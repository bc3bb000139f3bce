"""C that looks a packet up in vectors: it finds the packet's state in each half, and the row of that state."""

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

from clickbpf.classify.halves import ALONE, NOTHING, STATES, Half
from clickbpf.classify.vectors import Vectors

#: Estimated BPF instructions for each half, and for the rest.
FOR_HALF, FOR_ALL = 60, 120


def weight(vectors: Vectors) -> int:
    """An estimate of the BPF instructions of `function`."""
    return FOR_ALL + FOR_HALF * len(vectors.halves)


def function(name: str, vectors: Vectors, regions: Mapping[str, str], result: Callable[[int | None | str], str]) -> str:
    """A C function `name` of a packet `p`, like `emit.function`; here `result` must also accept a C variable.

    It calls SELF(now)(), whose result it passes on; SELF(row)(now, place), the row of a half's state, where the state of half n has the
    place n * STATES + state; and SELF(search)(now, rows), the output of the first rule that holds, below 0 for none.
    """
    regions_of = groupby(enumerate(vectors.halves), key=lambda numbered: numbered[1][0])
    body = "".join("".join(_region(region, list(halves), regions[region])) for region, halves in regions_of)
    unused = "__attribute__((unused))"
    return (
        f"static __always_inline int {name}(struct pkt *p)\n{{\n"
        f"\tconst __u32 now = SELF(now)();\n\t__u32 state {unused}, row[{len(vectors.halves)}];\n"
        f"\tconst __u8 *there {unused};\n\tint output;\n\n{body}"
        f"\toutput = SELF(search)(now, row);\n\tif (output < 0)\n\t\treturn {result(None)};\n\treturn {result('output')};\n}}\n"
    )


def _region(region: str, halves: list[tuple[int, Half]], pointer: str) -> Iterator[str]:
    """Lines that find the rows of one region's halves, with one check for all of them if the packet is long enough."""
    longest = max(at for _, (_, at) in halves) + 2
    yield f"\tthere = {pointer.format(length=longest)}; /* {region} */\n\tif (likely(there)) {{\n"
    for number, (_, at) in halves:
        yield f"\t\trow[{number}] = SELF(row)(now, {number * STATES} + ntohs(word16(there + {at})));\n"
    yield "\t} else {\n"
    for number, (_, at) in halves:
        yield f"\t\tstate = {NOTHING};\n"
        yield f"\t\tif ((there = {pointer.format(length=at + 1)}))\n\t\t\tstate = {ALONE} + there[{at}];\n"
        yield f"\t\tif ((there = {pointer.format(length=at + 2)}))\n\t\t\tstate = ntohs(word16(there + {at}));\n"
        yield f"\t\trow[{number}] = SELF(row)(now, {number * STATES} + state);\n"
    yield "\t}\n"
