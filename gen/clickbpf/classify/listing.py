"""Decision graphs as text, in the form of the `program` handlers of Click's classifiers."""

from __future__ import annotations

from clickbpf.classify.graph import Decision, Leaf, Node, all_tests, in_order


def listing(root: Node) -> str:
    """One line a test: number, offset/value%mask, where it leads; then the length from which on all of them can be made.

    [N] is output N, [X] means that the packet is dropped.
    """
    order = [node for node in in_order(root) if isinstance(node, Decision)]
    number = {node: i for i, node in enumerate(order)}

    def target(node: Node) -> str:
        if isinstance(node, Leaf):
            return "[X]" if node.output is None else f"[{node.output}]"
        return f"step {number[node]}"

    lines = [_line(i, node, target(node.yes), target(node.no)) for i, node in enumerate(order)]
    lines += [] if order else [f"all->{target(root)}"]
    safe = max((test.needs for test in all_tests(order)), default=0)
    return "\n".join([*lines, f"safe length {safe}", "alignment offset 0"]) + "\n"


def _line(number: int, node: Decision, yes: str, no: str) -> str:
    test = node.test
    short = "  short->yes" if test.short else ""
    return f"{number:2} {test.offset:3}/{test.value:08x}%{test.mask:08x}  yes->{yes}  no->{no}{short}"
