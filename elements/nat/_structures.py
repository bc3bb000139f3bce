"""C declarations of the rewriters' structures, which are states in Python."""

from clickbpf.declare import c_enum

from ._flows import FLOWS, RESTING, Mark
from ._pattern import Order
from ._spec import SPECS, Kind


def structures() -> str:
    """struct nat_flow and struct nat_spec, and the numbers in them: kinds, orders, marks."""
    numbers = c_enum("NAT_", {**Kind.__members__, **Order.__members__, **Mark.__members__, "RESTING": RESTING})
    return numbers + FLOWS.c_structure("nat_flow") + SPECS.c_structure("nat_spec")


#: For all classes that use flows.
HEADERS = {"natstructures.h": structures}
