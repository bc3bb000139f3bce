"""C of the rewriters' structures, which in Python are states."""

from __future__ import annotations

from clickbpf.state import ALIGNMENT, State

from ._flows import FLOWS
from ._spec import SPECS


def structures() -> str:
    """struct nat_flow and struct nat_spec, once for a router."""
    return f"#ifndef NAT_STRUCTURES\n#define NAT_STRUCTURES\n{_structure('flow', FLOWS)}{_structure('spec', SPECS)}#endif\n"


def _structure(name: str, kind: State) -> str:
    members = "".join(f"\t{field.c_declaration};\n" for field in kind.fields)
    return f"struct nat_{name} {{\n{members}}} __attribute__((aligned({ALIGNMENT})));\n"
