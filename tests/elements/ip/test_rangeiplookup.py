"""RangeIPLookup: the routing table by another name; test_iplookup.py has what all tables have in common."""

import pytest

from clickbpf.testing.cases import Case

ROUTES = "10.0.0.0/8 0, 10.1.0.0/16 1.2.3.4 1, 0/0 2"


def destinations(table) -> list[str]:
    return [row.split()[0] for row in table.read("table").splitlines()]


@pytest.mark.parametrize("name", ["RangeIPLookup", "DirectIPLookup"])
def test_routes_are_listed_in_clicks_order(element, name):
    """The order in which Click's RangeIPLookup and DirectIPLookup list these routes."""
    more = "10.1.1.0/24 1, 10.1.1.128/25 0, 10.1.1.129/32 2, 1.0.0.0/8 2, 2.0.0.0/8 0"
    table = element(f"{name}({ROUTES}, {more})", noutputs=3)
    listed = ["0.0.0.0/0", "10.0.0.0/8", "1.0.0.0/8", "2.0.0.0/8", "10.1.0.0/16", "10.1.1.129/32", "10.1.1.0/24", "10.1.1.128/25"]
    assert destinations(table) == listed
    table.write("add", "3.0.0.0/8 1")
    assert destinations(table) == [listed[0], "3.0.0.0/8", *listed[1:]]
    # Two prefixes of one bucket: the last added comes first, but after the default route nothing does.
    table.write("flush")
    for prefix in ("10.0.83.0/24", "10.1.24.0/24", "0.199.19.0/24", "0.0.0.0/0"):
        table.write("add", f"{prefix} 0")
    assert destinations(table) == ["0.199.19.0/24", "0.0.0.0/0", "10.1.24.0/24", "10.0.83.0/24"]


CASES = [Case(f"RangeIPLookup({ROUTES})", noutputs=3, headers="ip-checked")]
