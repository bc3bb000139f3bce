"""MarkMACHeader: an annotation, or two."""

import pytest

from clickbpf.testing.cases import Case


@pytest.mark.parametrize(
    ("arguments", "mac", "network"),
    [("", 0, None), ("7", 7, None), ("0, 14", 0, 14), ("4, 18", 4, 22), ("0, 60", 0, 60), ("50, 20", -3, None)],
)
def test_headers_are_marked(element, arguments, mac, network):
    """The last is too much for the packet: FromDevice's mark remains, three bytes before what is left."""
    x = element(f"MarkMACHeader({arguments})", before="Strip(3)")
    x.send(bytes(63))
    carried = x.expect(0, bytes(60)).carried
    assert (carried.mac, carried.network) == (mac, network)


CASES = [
    Case("MarkMACHeader(10, 50)", packets=1000),
    Case("MarkMACHeader(4294967295, 4294967295)", packets=100),
]
