"""Aligns where they are needed and nowhere else, and an AlignmentInfo that is true (click-align's manual)."""

import pytest

from clickbpf.graph.elaborate import read_text
from clickbpf.passes.align import align
from clickbpf.passes.alignment import all_of
from clickbpf.vocabulary.alignment import Alignment
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()


def aligned(text: str) -> tuple[str, dict[str, str]]:
    """The way of packets from `in` on, by output 0, as classes with arguments; and the alignments that elements get."""
    router = align(read_text(text, None), LIBRARY)
    told = {words[0]: " ".join(words[1:]) for e in router.of_class("AlignmentInfo") for text, _ in e.args() for words in [text.split()]}
    way, name = [], "in"
    while following := [c.target.element for c in router.connections_from(name, 0)]:
        name = following[0]
        element = router.element(name)
        way.append(f"{element.class_name}({element.config})" if element.config else element.class_name)
    return " ".join(way), told


@pytest.mark.parametrize(
    "text, way, told",
    [
        # Nothing is known of a Mystery's packets; an Ethernet device's have their IP header at a word.
        ("in :: Mystery -> c :: CheckIPHeader -> End", "Align(4, 0) CheckIPHeader End", {"c": "4 0"}),
        ("in :: FromDevice(a) -> Strip(14) -> c :: CheckIPHeader -> End", "Strip(14) CheckIPHeader End", {"c": "4 0"}),
        ("in :: FromDevice(a) -> c :: CheckIPHeader(14) -> End", "CheckIPHeader(14) End", {"c": "4 2"}),
        # As early as possible, by what is wanted further on.
        ("in :: Mystery -> Strip(14) -> c :: CheckIPHeader -> End", "Align(4, 2) Strip(14) CheckIPHeader End", {"c": "4 0"}),
        ("in :: FromDevice(a) -> Strip(3) -> c :: CheckIPHeader -> End", "Align(4, 1) Strip(3) CheckIPHeader End", {"c": "4 0"}),
        ("in :: Mystery -> k :: Classifier(12/0800) -> Strip(14) -> c :: CheckIPHeader -> End",
         "Align(4, 2) Classifier(12/0800) Strip(14) CheckIPHeader End", {"k": "4 2", "c": "4 0"}),
        # Two that want different things.
        ("in :: FromDevice(a) -> c :: CheckIPHeader(14) -> d :: CheckIPHeader(15) -> End",
         "CheckIPHeader(14) Align(4, 1) CheckIPHeader(15) End", {"c": "4 2", "d": "4 1"}),
        # A Classifier wants to know where its words are, wherever that is.
        ("in :: Mystery -> k :: Classifier(12/0800) -> End", "Align(4, 0) Classifier(12/0800) End", {"k": "4 0"}),
        ("in :: FromDevice(a) -> Strip(14) -> k :: Classifier(0/45) -> End", "Strip(14) Classifier(0/45) End", {"k": "4 0"}),
        # New packets lie at words, and headers before them move them.
        ("in :: RatedSource -> EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2) -> c :: CheckIPHeader(14) -> End",
         "EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2) CheckIPHeader(14) End", {"c": "4 2"}),
        ("in :: Mystery -> ICMPError(1.1.1.1, 3) -> c :: CheckIPHeader -> End", "ICMPError(1.1.1.1, 3) CheckIPHeader End", {"c": "4 0"}),
        # Aligns that are there already: useless ones are removed, others stay.
        ("in :: FromDevice(a) -> Align(4, 2) -> End", "End", {}),
        ("in :: FromDevice(a) -> Align(4, 0) -> End", "Align(4, 0) End", {}),
        ("in :: Mystery -> Align(8, 0) -> Align(4, 2) -> End", "Align(4, 2) End", {}),
        ("in :: Mystery -> Align(8, 2) -> Align(4, 2) -> End", "Align(8, 2) End", {}),
        ("in :: FromDevice(a) -> Align(8, 0) -> c :: CheckIPHeader(14) -> End", "CheckIPHeader(14) End", {"c": "4 2"}),
        # An Idle sends no packets, aligned or not.
        ("in :: Idle -> c :: CheckIPHeader -> End", "CheckIPHeader End", {"c": "1 0"}),
        ("FromDevice(a) -> c :: CheckIPHeader(14) -> End; in :: Idle -> c", "CheckIPHeader(14) End", {"c": "4 2"}),
        # What was said before is forgotten.
        ("AlignmentInfo(c 4 1); in :: FromDevice(a) -> c :: CheckIPHeader(14) -> End", "CheckIPHeader(14) End", {"c": "4 2"}),
    ],
)  # fmt: skip
def test_aligned(text, way, told):
    assert aligned(text) == (way, told)


def test_where_two_ways_meet_each_gets_what_it_needs():
    """From one device the header lies at a word, from the other it has to be moved there."""
    router = align(read_text("a :: FromDevice(a) -> c :: CheckIPHeader(14) -> End; b :: Mystery -> c", None), LIBRARY)
    assert [c.target.element for c in router.connections_from("a")] == ["c"]
    (align_,) = router.of_class("Align")
    assert [c.target.element for c in router.connections_from("b")] == [align_.name]
    assert align_.config == "4, 2"


def test_an_aligned_router_is_aligned():
    text = "in :: Mystery -> Strip(3) -> c :: CheckIPHeader -> CheckIPHeader(1) -> End"
    once = align(read_text(text, None), LIBRARY)
    twice = align(once, LIBRARY)
    assert sorted((e.class_name, e.config) for e in once.elements) == sorted((e.class_name, e.config) for e in twice.elements)
    assert len(once.connections) == len(twice.connections)


def test_alignments():
    assert Alignment(8, 2).satisfies(Alignment(4, 2)) and not Alignment(4, 2).satisfies(Alignment(8, 2))
    assert Alignment(4, 2) | Alignment(8, 2) == Alignment(4, 2)
    assert Alignment(4, 2) | Alignment(4, 0) == Alignment(2, 0)
    assert Alignment(4, 2) | Alignment(4, 1) == Alignment(1, 0)
    assert Alignment(4, 2).moved(14) == Alignment(4, 0)
    assert all_of([None, Alignment(4, 2), Alignment(8, 2)]) == Alignment(8, 2)
    assert all_of([Alignment(4, 2), Alignment(4, 0)]) is None
