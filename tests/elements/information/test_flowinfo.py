"""FlowInfo: flow codes for single elements."""

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library


def test_searches_go_by_the_code():
    """Packets don't pass an Idle: what is after one isn't reached, unless a FlowInfo says so."""
    text = "a :: InfiniteSource -> i :: Idle -> d :: Discard;"

    def reached(router: str) -> list[str]:
        return [element.name for element in check_text(router, Library.standard()).flow.reachable("a", True)]

    assert reached(text) == ["i"]
    assert reached(text + "FlowInfo(i x/x);") == ["i", "d"]


def test_names_are_those_of_the_compound():
    text = "a :: InfiniteSource -> c :: { input -> i :: Idle -> output; FlowInfo(i x/x); } -> d :: Discard;"
    assert "d" in [element.name for element in check_text(text, Library.standard()).flow.reachable("a", True)]


def test_mistakes(refused_router):
    assert refused_router("i :: Idle; FlowInfo(i, zz x/x, i x/y z, i q?/1);").splitlines() == [
        "FlowInfo: expected 'ELEMENT CODE'",
        "FlowInfo: no element named 'zz'",
        "FlowInfo: expected 'ELEMENT CODE'",
        "FlowInfo: bad flow code 'q?/1'",
    ]
