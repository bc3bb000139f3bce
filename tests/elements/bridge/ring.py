"""Switches as configurations use them: with Suppressors around them and EtherSpanTree to control those."""


def tree_switch(ports: int, address: str, arguments: str = "", switch: str = "") -> str:
    """`arguments` are more of EtherSpanTree's, `switch` those of EtherSwitch; the elements are tree, in, out and switch."""
    lines = "".join(
        f"FromDevice(eth{i}) -> c{i} :: Classifier(14/4242, -); c{i}[0] -> [{i}]tree[{i}] -> q{i} :: Queue -> ToDevice(eth{i});"
        f"c{i}[1] -> [{i}]in[{i}] -> [{i}]switch[{i}] -> [{i}]out[{i}] -> q{i};"
        for i in range(ports)
    )
    return (
        f"tree :: EtherSpanTree({address}, in, out, switch{arguments and ', '}{arguments});"
        f"in, out :: Suppressor; switch :: EtherSwitch({switch}); {lines}"
    )
