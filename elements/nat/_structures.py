"""C of the rewriters' structures, which in Python are states."""

from __future__ import annotations

from clickbpf.objects.ctext import c_enum
from clickbpf.vocabulary.state import ALIGNMENT, State

from ._flows import FLOWS, RESTING
from ._pattern import Order
from ._spec import SPECS, Kind


def structures() -> str:
    """struct nat_flow and struct nat_spec, and the numbers in them, once for a router."""
    numbers = c_enum("NAT_", {**Kind.__members__, **Order.__members__, "RESTING": RESTING})
    return f"#ifndef NAT_STRUCTURES\n#define NAT_STRUCTURES\n{numbers}{_structure('flow', FLOWS)}{_structure('spec', SPECS)}#endif\n"


def _structure(name: str, kind: State) -> str:
    members = "".join(f"\t{field.c_declaration};\n" for field in kind.fields)
    return f"struct nat_{name} {{\n{members}}} __attribute__((aligned({ALIGNMENT})));\n"
