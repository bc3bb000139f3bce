"""Decision graphs as text, in the form of the `program` handlers of Click's classifiers."""

from collections.abc import Mapping

from clickbpf.classify.graph import Decision, Leaf, Node, all_tests, in_order


def listing(root: Node, bases: Mapping[str, int]) -> str:
    """A line for each test: number, offset/value%mask, and the next step for either answer; then the packet length that all tests need.

    [N] is output N, [X] drops the packet. Offsets are from the base of their region, 0 if it has none.
    """
    order = [node for node in in_order(root) if isinstance(node, Decision)]
    number = {node: i for i, node in enumerate(order)}

    def target(node: Node) -> str:
        if isinstance(node, Leaf):
            return "[X]" if node.output is None else f"[{node.output}]"
        return f"step {number[node]}"

    lines = [_line(i, node, bases, target(node.yes), target(node.no)) for i, node in enumerate(order)]
    lines += [] if order else [f"all->{target(root)}"]
    safe = max((bases.get(test.region, 0) + test.needs for test in all_tests(order)), default=0)
    return "\n".join([*lines, f"safe length {safe}", "alignment offset 0"]) + "\n"


def _line(number: int, node: Decision, bases: Mapping[str, int], yes: str, no: str) -> str:
    test = node.test
    offset = bases.get(test.region, 0) + test.offset
    short = "  short->yes" if test.short else ""
    return f"{number:2} {offset:3}/{test.value:08x}%{test.mask:08x}  yes->{yes}  no->{no}{short}"
