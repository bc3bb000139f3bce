"""Decision graphs as C: one function of nested ifs, switches and a few gotos, read from top to bottom.

Bytes are loaded and compared in network byte order, as in the packet.
"""

from collections.abc import Callable, Mapping

from clickbpf.classify.expression import WIDTH, Test
from clickbpf.classify.graph import Check, Decision, HandOver, Leaf, Node, children, in_order

#: From SWITCH tests of one word on they become a switch, which clang turns into a binary search. Up to FEW cases, the likely one comes
#: first.
SWITCH, FEW = 3, 8
#: From this many tests on, bytes are loaded again where paths meet. The verifier then forgets what it knows about them from each path;
#: otherwise it might check the rest of the program for each combination of paths.
FORGOTTEN = 32

Guard = Callable[[Test], str]


def unguarded(test: Test) -> str:
    return ""


def function(
    name: str,
    root: Node,
    regions: Mapping[str, str],
    result: Callable[[int | None], str],
    guard: Guard = unguarded,
) -> str:
    """A C function `name` of a packet `p` for a graph made by `with_checks`.

    `regions` has for each region the expression that gives a pointer to its first {length} bytes or NULL, for example
    "pkt_data(p, 0, {length})"; `result` returns the expression for a leaf's output. `guard` may return an expression for a test that is
    true whenever the test holds; where clang knows it to be false, it removes the test.
    """
    return _Function(root, regions, result, guard).text(name)


class _Function:
    def __init__(self, root: Node, regions: Mapping[str, str], result: Callable[[int | None], str], guard: Guard):
        self.root, self.regions, self.result, self.guard = root, regions, result, guard
        self.order = in_order(root)
        self.uses = _count_uses(root, self.order)
        self.sizes: dict[Node, int] = {}
        for node in reversed(self.order):
            self.sizes[node] = 1 + sum(self.size(child) for child in children(node))
        self.reading = {region: _reading(self.order, region) for region in regions}
        self.forgetful = len(self.order) >= FORGOTTEN
        self.labels: dict[Node, str] = {}
        self.lines: list[str] = []

    def text(self, name: str) -> str:
        self.block(self.root, 1)
        # No jump is backwards, since a block is written after all jumps to it.
        for node in self.order:
            if node in self.labels:
                if self.lines[-1] == f"\t{self.end(node)}":
                    self.lines.pop()
                self.lines.append(f"{self.labels[node]}:")
                self.forget(node)
                self.block(node, 1, at_label=True)
        checks = [node for node in self.order if isinstance(node, Check)]
        used = sorted({node.region for node in checks})
        used += ["more"] if any(node.no in self.reading[node.region] for node in checks) else []
        declarations = f"\tconst __u8 {', '.join('*' + region for region in used)};\n\n" if used else ""
        return f"static __always_inline int {name}(struct pkt *p)\n{{\n{declarations}" + "".join(f"{line}\n" for line in self.lines) + "}\n"

    def forget(self, node: Node) -> None:
        """Where paths meet, hide from clang that the bytes read from here on have already been loaded."""
        read = [region for region in self.regions if node in self.reading[region]] if self.forgetful else []
        if read:
            outputs = ", ".join(f'"+r"({region})' for region in read)
            self.line(1, f'asm volatile("" : {outputs});')

    # -- statements --------------------------------------------------------------------------------------------------

    def line(self, depth: int, text: str) -> None:
        self.lines.append("\t" * depth + text)

    def block(self, node: Node, depth: int, at_label: bool = False) -> None:
        """Write statements that finally leave the function or jump elsewhere."""
        while not self.ends(node) or at_label:
            at_label = False
            if isinstance(node, HandOver):
                self.line(depth, "if (!USERSPACE)")
                self.line(depth + 1, "return PUNT;")
                node = node.next
            elif isinstance(node, Check):
                node = self.check(node, depth)
            elif len(cases := self.cases(node)) >= SWITCH:
                node = self.switch(cases, depth)
            else:
                node = self.fork(self.guarded(node.test), node, depth)
        self.line(depth, self.end(node))

    def guarded(self, test: Test) -> str:
        guard = self.guard(test)
        return f"{guard} && {condition(test)}" if guard else condition(test)

    def ends(self, node: Node) -> bool:
        return isinstance(node, Leaf) or self.uses[node] > 1

    def end(self, node: Node) -> str:
        if isinstance(node, Leaf):
            return f"return {self.result(node.output)};"
        return f"goto {self.labels.setdefault(node, f'step_{len(self.labels) + 1}')};"

    def check(self, node: Check, depth: int) -> Node:
        pointer = self.regions[node.region].format(length=node.length)
        if node.no not in self.reading[node.region]:
            self.line(depth, f"{node.region} = {pointer};")
            return self.fork(node.region, node, depth)
        # If the check fails, the pointer to previously checked bytes stays usable.
        self.line(depth, f"more = {pointer};")
        self.branch("!more", node.no, depth)
        self.line(depth, f"{node.region} = more;")
        return node.yes

    def fork(self, holds: str, node: Check | Decision, depth: int) -> Node:
        """Write the smaller branch inside an if; returns the other one, which follows."""
        if self.size(node.yes) <= self.size(node.no):
            inside, after = node.yes, node.no
        else:
            inside, after, holds = node.no, node.yes, opposite(holds)
        self.branch(holds, inside, depth)
        return after

    def branch(self, holds: str, inside: Node, depth: int) -> None:
        if self.ends(inside):
            self.line(depth, f"if ({holds})")
            self.line(depth + 1, self.end(inside))
        else:
            self.line(depth, f"if ({holds}) {{")
            self.block(inside, depth + 1)
            self.line(depth, "}")

    def size(self, node: Node) -> int:
        """The number of tests and checks in a block."""
        return 0 if self.ends(node) else self.sizes[node]

    # -- switches ----------------------------------------------------------------------------------------------------

    def cases(self, node: Decision) -> list[Decision]:
        """The decisions from here on that compare one word with different values."""
        found = [node]
        while isinstance(after := found[-1].no, Decision) and self.uses[after] == 1 and _same_word(after.test, node.test):
            found.append(after)
        return found

    def switch(self, cases: list[Decision], depth: int) -> Node:
        end = cases[-1].no
        # A case with further tests is taken to be rarer, such as ARP beside IP.
        first = next((case for case in cases if isinstance(case.yes, Leaf)), None) if len(cases) <= FEW else None
        if first is not None:
            self.branch(f"likely({condition(first.test)})", first.yes, depth)
            cases = [case for case in cases if case is not first]
        targets: dict[Node, list[Test]] = {}
        for case in cases:
            targets.setdefault(case.yes, []).append(case.test)
        first = cases[0].test
        self.line(depth, f"switch ({operand(first)}) {{")
        for target, tests in targets.items():
            for test in tests:
                self.line(depth, f"case {constant(test.value, test.mask)}:")
            self.block(target, depth + 1, at_label=not isinstance(target, Leaf) and self.uses[target] == len(tests))
        self.line(depth, "}")
        return end


def _reading(order: list[Node], region: str) -> set[Node]:
    """The nodes from which the region may be read before another check of it succeeds."""
    found: set[Node] = set()
    for node in reversed(order):
        reads = isinstance(node, Decision) and node.test.region == region
        ways = (node.no,) if isinstance(node, Check) and node.region == region else children(node)
        if reads or not found.isdisjoint(ways):
            found.add(node)
    return found


def _same_word(one: Test, other: Test) -> bool:
    return one.word == other.word and one.mask == other.mask


def _count_uses(root: Node, order: list[Node]) -> dict[Node, int]:
    uses = dict.fromkeys(order, 0)
    uses[root] = 1
    for node in order:
        for child in children(node):
            uses[child] += 1
    return uses


# -- expressions ---------------------------------------------------------------------------------------------------------


def condition(test: Test) -> str:
    """C for whether a test holds, if its bytes are present."""
    return f"{operand(test)} == {constant(test.value, test.mask)}"


def opposite(holds: str) -> str:
    if " && " in holds:
        return f"!({holds})"
    return holds.replace(" == ", " != ") if " == " in holds else f"!{holds}"


def operand(test: Test) -> str:
    """C for the masked bytes, with the narrowest load of all of them."""
    first, length = _span(test.mask)
    load = _load(test.region, test.offset + first, length)
    bits = _part(test.mask, first, length)
    return load if bits == (1 << 8 * length) - 1 else f"({load} & {constant(test.mask, test.mask)})"


def _load(region: str, at: int, length: int) -> str:
    address = f"{region} + {at}" if at else region
    if length == 1:
        return f"{region}[{at}]"
    if length == 3:
        return f"(word16({address}) | (__u32){region}[{at + 2}] << 16)"
    return f"word{8 * length}({address})"


def constant(value: int, mask: int) -> str:
    """C for the bytes of `value` that `operand` loads for `mask`, in network byte order."""
    first, length = _span(mask)
    bits = _part(value, first, length)
    if length == 3:
        return f"htonl(0x{bits << 8:08x})"
    text = f"0x{bits:0{2 * length}x}"
    return {1: text, 2: f"htons({text})", 4: f"htonl({text})"}[length] if bits else "0"


def _span(mask: int) -> tuple[int, int]:
    """First byte and length of a load of all bytes under the mask that doesn't read beyond the last one."""
    places = [place for place in range(WIDTH) if mask >> 8 * (WIDTH - 1 - place) & 0xFF]
    length = places[-1] - places[0] + 1
    return (0, 4) if length == 3 and places[0] == 1 else (places[0], length)


def _part(value: int, first: int, length: int) -> int:
    return value >> 8 * (WIDTH - first - length) & (1 << 8 * length) - 1
