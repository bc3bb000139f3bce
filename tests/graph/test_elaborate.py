"""Flat routers: names, order, connections and configurations are those that Click gives."""

import pytest
from tests.graph.flattening import CLASSES, connections, elements, flat, mistakes

from clickbpf.errors import ClickError, Place
from clickbpf.graph.elaborate import read_file, read_text
from clickbpf.graph.unparse import unparse_router

# Names and order, as `click-flatten` gives them.


def test_names_of_anonymous_elements_and_order():
    text = """
        elementclass C { input -> Idle => ( -> Idle ->), Null -> output; Idle }
        src :: Idle -> C -> n :: Null;
        (Null -> Null);
        a, b :: Idle;
        src -> { input -> Null -> output } -> Idle@14 :: Idle;
        a -> { -> { -> Null -> } -> } -> Idle -> b;
    """
    assert flat(text) == (
        [
            "src :: Idle", "n :: Null", "Null@7 :: Null", "Null@8 :: Null", "a :: Idle", "b :: Idle",
            "Idle@14 :: Idle", "Idle@15 :: Idle", "C@2/Idle@1 :: Idle", "C@2/Idle@5 :: Idle",
            "C@2/Null@6 :: Null", "C@2/Idle@7 :: Idle", "@11/Null@1 :: Null",
            "@13/@1/Null@1 :: Null",
        ],
        [
            "src[0] -> C@2/Idle@1[0]", "src[0] -> @11/Null@1[0]", "Null@7[0] -> Null@8[0]",
            "a[0] -> @13/@1/Null@1[0]", "Idle@15[0] -> b[0]", "C@2/Idle@1[0] -> C@2/Idle@5[0]",
            "C@2/Idle@1[1] -> C@2/Null@6[0]", "C@2/Idle@5[0] -> n[0]", "C@2/Null@6[0] -> n[0]",
            "@11/Null@1[0] -> Idle@14[0]", "@13/@1/Null@1[0] -> Idle@15[0]",
        ],
    )  # fmt: skip


def test_anonymous_elements_give_way_to_explicit_names():
    text = "Idle@20 :: Idle; Idle; Idle@4 :: Null; Idle; Idle"
    assert elements(text) == [
        "Idle@20 :: Idle", "Idle@2 :: Idle", "Idle@4 :: Null", "Idle@5 :: Idle", "Idle@6 :: Idle",
    ]  # fmt: skip


def test_synonyms_name_elements_but_not_their_class():
    text = "elementclass A Null; elementclass B A; Idle -> B -> x :: A -> Idle"
    assert elements(text) == ["Idle@1 :: Idle", "B@2 :: Null", "x :: Null", "Idle@4 :: Idle"]


# Connections: click(5), CONNECTION SHORTHAND and ELEMENT GROUPS.

ELEMENTS = "a, b, c, d, x, y :: Idle; "


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a [1] -> [2] x [3] -> [4] b", ["a[1] -> x[2]", "x[3] -> b[4]"]),
        ("a, b [1], c -> [2] x", ["a -> x[2]", "b[1] -> x[2]", "c -> x[2]"]),
        ("x -> a, [1] b, c", ["x -> a", "x -> b[1]", "x -> c"]),
        ("x [0,1] -> a", ["x -> a", "x[1] -> a"]),
        ("x [0], x [1], x [2] => a, b, c -> y", ["a -> y", "b -> y", "c -> y", "x -> a", "x[1] -> b", "x[2] -> c"]),
        ("x [0,1,2] => a, b, c", ["x -> a", "x[1] -> b", "x[2] -> c"]),
        ("x [0-2] => a, b, c", ["x -> a", "x[1] -> b", "x[2] -> c"]),
        ("x => a, b, c", ["x -> a", "x[1] -> b", "x[2] -> c"]),
        ("a, b => x", ["a -> x", "b -> x[1]"]),
        ("a, a[1] -> b -> x, y", ["a -> b", "a[1] -> b", "b -> x", "b -> y"]),
        ("a => b, c, [0,1] a", ["a -> b", "a[1] -> c", "a[2] -> a", "a[3] -> a[1]"]),
        ("x [] => a, b", ["x -> a", "x[1] -> b"]),
        ("x [1,] => a, b, c", ["x[1] -> a", "x[2] -> b", "x[3] -> c"]),
        ("x [] => [3-5] y", ["x -> y[3]", "x[1] -> y[4]", "x[2] -> y[5]"]),
        ("a, b [] => c, d, x", ["a -> c", "b -> d", "b[1] -> x"]),
        ("x -> y; x -> y", ["x -> y"]),
        ("x -> ( input -> output ) -> y", ["x -> y"]),
        ("x -> ( [0] -> [0] ) -> y", ["x -> y"]),
        ("x -> (->) -> y", ["x -> y"]),
        ("x -> ( [0]->[0]; [1]->[1] ) => ( [0]->[0]; [1]->[1] ) -> y", ["x -> y"]),
        ("x => ( [0]->[0]; [1]->[1] ) -> y", ["x -> y", "x[1] -> y"]),
        ("x => [0,1] ( [0]->[0]; [1]->[1] ) [0,1] -> y", ["x -> y", "x[1] -> y"]),
        ("a [0,1,2] => ( -> c ), ( -> b ), d", ["a -> c", "a[1] -> b", "a[2] -> d"]),
        ("x => ( [0] -> output; [1] -> a -> output ) -> y", ["a -> y", "x -> y", "x[1] -> a"]),
        ("a -> { -> } -> b; a [1] -> { [0] -> [0] } -> [1] b", ["a -> b", "a[1] -> b[1]"]),
        ("a -> x; (b -> c); d", ["a -> x", "b -> c"]),
    ],
)  # fmt: skip
def test_connections(text, expected):
    assert connections(ELEMENTS + text) == expected


def test_groups_share_names_with_what_is_around_them():
    text = "a :: Idle; a -> ( -> b :: Null -> a ); b [1] -> a"
    assert flat(text) == (["a :: Idle", "b :: Null"], ["a[0] -> b[0]", "b[0] -> a[0]", "b[1] -> a[0]"])


def test_compound_in_compound_with_several_ports():
    text = """
        compound :: { input -> X -> output; input [1] -> { -> Y -> } -> [1] output };
        a, b, c, d :: Idle;
        a -> compound -> b; c -> [1] compound [1] -> d;
    """
    assert connections(text) == [
        "a -> compound/X@1", "c -> compound/@2/Y@1", "compound/X@1 -> b", "compound/@2/Y@1 -> d",
    ]  # fmt: skip


# Parameters.


@pytest.mark.parametrize(
    "text, expected",
    [
        ("I -> { $a | input -> A(1, $a, 3) -> output } (100) -> D", "A(1, 100, 3)"),
        ("I -> { $a | -> A($a, \"$a\", '$a', ${a}b, $ab) -> } (x y) -> D", "A(x y, \"x y\", '$a', x yb, $ab)"),
        ("I -> { $a, COUNT $count, __REST__ $rest | -> A($a; $count; $rest) -> } (1, 2, COUNT 3, FOO 4) -> D",
         "A(1; 3; 2, FOO 4)"),
        ("I -> { $x, K $y | -> A($x, ${y}, \"$x\", ${z-9}, ${y[1]}) -> }(\"p, q\", K r s) -> D",
         'A("p, q", r s, "\\"p, q\\"", 9, s)'),
        ("I -> { | -> A -> } -> D", "A"),
        ("I -> { $a | -> { $b | -> A($a, $b) -> }($a 2) -> }(1) -> D", "A(1, 1 2)"),
        ("define($v 1) I -> { define($v 2) -> A($v) -> } -> D", "A(2)"),
        ("I -> { define($v 2, $w $v) -> A($w) -> } -> D", "A(2)"),
    ],
)  # fmt: skip
def test_parameters(text, expected):
    inside = [e.partition(" :: ")[2] for e in elements(text) if "/" in e]
    assert inside == [expected]


def test_definitions_of_a_scope_take_place_simultaneously():
    assert elements("Message($a); define($a 2)") == ["Message@1 :: Message(2)"]
    assert elements("define($a 2); Message($a)") == ["Message@1 :: Message(2)"]


def test_command_line_overrides_global_definitions_only():
    text = "define($a 1) A($a, ${b-no}) { define($a 2) B($a) }"
    assert elements(text, variables={"a": "3", "b": "yes"}) == ["A@1 :: A(3, yes)", "@2/B@1 :: B(2)"]


def test_formals_are_lexically_scoped():
    far = """
        elementclass Foo { $a | DriverManager($a); }
        elementclass Far { $a, $b | Foo($b); }
        Far(wait_stop stop, stop);
    """
    assert elements(far) == ["Far@1/Foo@1/DriverManager@1 :: DriverManager(stop)"]
    nested = """
        elementclass Foo { $a |
            elementclass Bar { $b | DriverManager($a); }
            elementclass Baz { $a | Idle; Bar($a); }
            Baz(other);
        }
        Foo(stop);
    """
    assert elements(nested) == [
        "Foo@1/Baz@1/Idle@1 :: Idle",
        "Foo@1/Baz@1/Bar@2/DriverManager@1 :: DriverManager(stop)",
    ]


# Overloading.


def test_overloads_by_arguments_and_extension():
    text = """
        elementclass Foo {
           $a, $b | input -> Print(1) -> output
        || $a, __REST__ $b | input -> Print(2) -> output
        || $a, TWO $b, __REST__ $c | input -> Print(3) -> output
        }
        I -> Foo(A) -> f :: Foo(A, TWO B)
        elementclass Foo { $a, $b | input -> Print(4) -> output || ... }
        f -> Foo(A, B) -> Foo(A, B, C) -> Discard
    """
    assert elements(text)[2:] == [
        "Foo@2/Print@1 :: Print(2)", "f/Print@1 :: Print(1)", "Foo@4/Print@1 :: Print(4)",
        "Foo@5/Print@1 :: Print(2)",
    ]  # fmt: skip


def test_overloads_by_number_of_ports():
    text = """
        elementclass T { -> One -> || input, input [1] -> Two -> }
        a, b, c, d :: Idle; a -> p :: T -> b; c -> q :: T -> d; c [1] -> [1] q
    """
    assert [e for e in elements(text) if "/" in e] == ["p/One@1 :: One", "q/Two@1 :: Two"]


def test_extending_a_primitive_class():
    text = """
        elementclass Queue { $cap, $rate | input -> Queue($cap) -> Shaper($rate) -> output || ... }
        i :: Idle -> Queue(1) -> Queue(2, 3) -> i
    """
    assert elements(text) == [
        "i :: Idle", "Queue@2 :: Queue(1)", "Queue@3/Queue@1 :: Queue(2)",
        "Queue@3/Shaper@2 :: Shaper(3)",
    ]  # fmt: skip


def test_what_extends_to_a_primitive_class_keeps_its_place():
    """As in Click, where only the contents of compounds come after their siblings."""
    text = """
        elementclass Queue { $cap, $rate | input -> Queue($cap) -> Shaper($rate) -> output || ... }
        i :: Idle; a :: Queue(1); d :: Discard; b :: Queue(2, 3); c :: Queue(4)
        i -> a -> Null -> b -> c -> d
    """
    assert elements(text) == [
        "i :: Idle", "a :: Queue(1)", "d :: Discard", "c :: Queue(4)", "Null@6 :: Null",
        "b/Queue@1 :: Queue(2)", "b/Shaper@2 :: Shaper(3)",
    ]  # fmt: skip


def test_a_class_within_its_own_definition_is_the_earlier_one():
    text = "elementclass Queue { input -> Queue -> output } Idle -> q :: Queue -> Idle"
    assert "q/Queue@1 :: Queue" in elements(text, known=CLASSES)


def test_classes_are_scoped():
    text = "{ elementclass X Null; X } elementclass Y { X } Y"
    assert mistakes(text) == [(1, 45, "undeclared element 'X'")]


# Requirements and libraries.


def test_requirements_and_provisions():
    router = read_text('require(package a, b, "package" "c d", compact_config) provide(x, "y z")')
    assert router.requirements == (
        ("package", "a"), ("package", "b"), ("package", "c d"), ("compact_config", ""),
    )  # fmt: skip
    assert router.provisions == ("x", "y z")


def test_libraries_are_included_once(tmp_path, monkeypatch):
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "mine.click").write_text("elementclass Mine { -> Null -> } Idle;\n")
    (tmp_path / "near.click").write_text("require(library mine.click)\n")
    router = tmp_path / "r.click"
    router.write_text("require(library near.click, library mine.click); a :: Idle -> Mine -> a")
    monkeypatch.setenv("CLICKPATH", str(tmp_path))
    assert [e.name for e in read_file(str(router)).elements] == ["Idle@1", "a", "Mine@3/Null@1"]


def test_mistakes_in_libraries_and_missing_libraries(tmp_path, monkeypatch):
    monkeypatch.delenv("CLICKPATH", raising=False)
    (tmp_path / "bad.click").write_text("\na -> -> b")
    router = tmp_path / "r.click"
    router.write_text("require(library bad.click); require(library none.click)\n")
    with pytest.raises(ClickError) as raised:
        read_file(str(router))
    bad, missing = raised.value.diagnostics
    assert bad.place == Place(str(tmp_path / "bad.click"), 2, 6)
    assert missing.place == Place(str(router), 1, 37)
    assert missing.message == "library 'none.click' not found"
    assert "a -> -> b" in raised.value.render()


def test_unreadable_file(tmp_path):
    with pytest.raises(ClickError, match="cannot read .*No such file"):
        read_file(str(tmp_path / "none.click"))


# Places.


def test_places_of_elements_and_arguments():
    text = "elementclass C { $a |\n  -> Q($a, 7) ->\n}\ni :: Idle -> C(12) -> i"
    q = read_text(text, name="f").element("C@2/Q@1")
    assert q.place == Place("f", 2, 6)
    assert q.args() == [("12", Place("f", 4, 16)), ("7", Place("f", 2, 12))]


def test_arguments_from_the_command_line_are_shown_as_given():
    router = read_text("A($x)", variables={"x": "bad"})
    ((text, place),) = router.elements[0].args()
    assert (text, place) == ("bad", Place("command line, x", 1, 3))
    assert router.sources.line(place) == "x=bad"


def test_flat_router_is_its_own_elaboration():
    router = read_text("elementclass C { $a | -> X($a) -> } s :: S -> C(1) => (->) -> s -> C(2) -> [1] s")
    assert read_text(unparse_router(router)) == router
