"""Classifiers after classifiers are one, with the same outputs for the same packets."""

from clickbpf.graph.elaborate import read_text
from clickbpf.passes.classifiers import combine_classifiers
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()


def combined(text: str):
    router = combine_classifiers(read_text(text, None), LIBRARY)
    return {e.name: f"{e.class_name}({e.config})" for e in router.elements}, {str(c) for c in router.connections}


ENDS = "; ".join(f"{name} :: Discard" for name in "vwxyz") + ";"


def test_the_second_takes_the_place_of_an_output_of_the_first():
    elements, connections = combined(
        f"{ENDS} s :: Source -> c :: Classifier(12/0806, 12/0800, -); c[0] -> v;"
        "c[1] -> d :: Classifier(23/06, 23/11 !20/1234, -); d[0] -> w; d[1] -> x; d[2] -> y; c[2] -> z"
    )
    assert elements["c"] == "Classifier(12/0806, 12/0800 23/06, 12/0800 23/11 !20/1234, 12/0800, -)"
    assert "d" not in elements
    assert connections == {"s[0] -> c[0]", *(f"c[{port}] -> {name}[0]" for port, name in enumerate("vwxyz"))}


def test_packets_that_the_second_has_no_pattern_for_are_still_dropped():
    """Without a pattern of their own they would go on to the first one's later outputs."""
    elements, connections = combined(
        f"{ENDS} s :: Source -> c :: Classifier(12/0800, -); c[0] -> d :: Classifier(23/06); d[0] -> w; c[1] -> z"
    )
    assert elements["c"] == "Classifier(12/0800 23/06, 12/0800, -)"
    assert elements["d@unmatched"] == "Discard()"
    assert connections == {"s[0] -> c[0]", "c[0] -> w[0]", "c[1] -> d@unmatched[0]", "c[2] -> z[0]"}


def test_expressions_are_joined_by_and():
    elements, _ = combined(
        f"{ENDS} Source -> c :: IPClassifier(tcp or udp, -); c[0] -> d :: IPClassifier(port 80, -); d[0] -> v; d[1] -> w;"
        "c[1] -> e :: IPClassifier(icmp, -); e[0] -> x; e[1] -> y"
    )
    assert elements["c"] == "IPClassifier((tcp or udp) && (port 80), tcp or udp, icmp, -)"


def test_three_in_a_row():
    elements, _ = combined(
        f"{ENDS} Source -> c :: Classifier(0/01, -); c[0] -> d :: Classifier(1/02, -); d[0] -> e :: Classifier(2/03, -);"
        "e[0] -> v; e[1] -> w; d[1] -> x; c[1] -> y"
    )
    assert elements["c"] == "Classifier(0/01 1/02 2/03, 0/01 1/02, 0/01, -)"


def test_a_classifier_with_two_ways_to_it_stays():
    text = f"{ENDS} Source -> c :: Classifier(12/0800, -); c[0] -> d :: Classifier(23/06, -); c[1] -> d; d[0] -> v; d[1] -> w"
    assert combined(text)[0].keys() == {"c", "d", "Source@6", *"vwxyz"}


def test_classes_are_not_mixed():
    text = f"{ENDS} Source -> c :: Classifier(12/0800, -); c[0] -> d :: IPClassifier(tcp, -); d[0] -> v; d[1] -> w; c[1] -> x"
    assert {"c", "d"} <= combined(text)[0].keys()
