"""Mistakes that elaboration finds, in the words of Click where it has some."""

import pytest
from tests.graph.flattening import CLASSES, elements, hints, mistakes

from clickbpf.errors import ClickError
from clickbpf.graph import expand
from clickbpf.graph.elaborate import read_text


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a :: Idle; b -> a", [(1, 12, "undeclared element 'b'")]),
        ("b -> Idle; b -> Idle", [(1, 1, "undeclared element 'b'")]),
        ("a :: Idle; a :: Null", [(1, 12, "redeclaration of element 'a'")]),
        ("Idle -> input", [(1, 9, "undeclared element 'input'")]),
        ("a :: Quue", [(1, 6, "unknown element class 'Quue'")]),
        ("elementclass A Quue; a :: A -> A", [(1, 16, "unknown element class 'Quue'")]),
        ("Idle :: Null", [(1, 1, "class 'Idle' used as element name")]),
        ("a :: Idle; a(3) -> Null",
         [(1, 14, "configuration string of element 'a' belongs to its declaration")]),
        ("1 :: Idle", [(1, 1, "element name '1' has all-digit component")]),
        ("a/2/b :: Idle", [(1, 1, "element name 'a/2/b' has all-digit component")]),
        ("f :: { x :: Idle }; f/x :: Null", [(1, 1, "redeclaration of element 'f/x'")]),
        ("{ x :: { input :: Idle } }", [(1, 10, "redeclaration of element 'input'")]),
        # ports of compounds and groups
        ("Idle -> { input [1] -> Idle }",
         [(1, 9, "'<anonymous>' input 0 missing")]),
        ("x :: { output -> Idle -> input }",
         [(1, 15, "'<anonymous>' pseudoelement 'output' may only be used as input"),
          (1, 23, "'<anonymous>' pseudoelement 'input' may only be used as output")]),
        ("Idle -> { -> Null -> }", [(1, 9, "'@2' output 0 unused")]),
        ("elementclass C { -> Null -> } c :: C -> Idle", [(1, 31, "'c' input 0 unused")]),
        ("Idle -> c :: { -> Null -> } [1] -> Idle",
         [(1, 33, "'c' has no output 1")]),
        ("Idle -> [1] ( -> Idle )",
         [(1, 6, "element group has no input 1")]),
        ("Idle => ( [0] -> Null; [2] -> Idle )",
         [(1, 9, "element group input 1 missing")]),
        # parameters
        ("elementclass X { $a, $b | } X(1)", [(1, 29, "no match for 'X[1 argument, 0 inputs, 0 outputs]'")]),
        ("x :: { K $a | }", [(1, 1, "no match for '<anonymous>[0 inputs, 0 outputs]'")]),
        ("elementclass X { K $a, $b | }", [(1, 24, "compound element parameters out of order")]),
        ("elementclass X { __REST__ $a, K $b | }", [(1, 31, "compound element parameters out of order")]),
        ("elementclass X { $a, $a | }", [(1, 22, "parameter '$a' multiply defined")]),
        ("elementclass X { K $a, K $b | }", [(1, 24, "repeated keyword parameter 'K' in compound element")]),
        ("define($a 1, $a 2)", [(1, 14, "parameter '$a' multiply defined")]),
        ("define(a 1)", [(1, 8, "bad 'define' declaration: 'a' is not a variable")]),
        ("elementclass Test { $a | } test :: Test(1, 2); elementclass Test { $a, $b | || ... }",
         [(1, 28, "no match for 'Test[2 arguments, 0 inputs, 0 outputs]'")]),
        # extension
        ("{ -> Null || ... }", [(1, 1, "cannot extend an anonymous compound element")]),
        ("elementclass Y { -> Idle || ... }", [(1, 16, "cannot extend unknown element class 'Y'")]),
        # many to many
        ("Idle => [0,1] Null [0,1] => Idle, Idle, Idle",
         [(1, 26, "connection mismatch: 2 outputs connected to 3 inputs")]),
        ("Idle [0,1] -> [0,1] Idle", [(1, 12, "many-to-many connections require '=>'")]),
        ("Idle [] => [] Idle", [(1, 9, "at most one expandable port allowed per connection")]),
        ("Idle [0,1,2,] => Idle, Idle",
         [(1, 15, "connection mismatch: 3 or more outputs connected to 2 inputs")]),
        ("Idle [] -> Idle, Idle", [(1, 9, "many-to-many connections require '=>'")]),
        # requirements
        ("require(a b c)", [(1, 9, "syntax error at requirement")]),
        ("elementclass X { require(library x) }", [(1, 26, "'require(library)' must be used at file scope")]),
    ],
)  # fmt: skip
def test_mistakes(text, expected):
    assert mistakes(text) == expected


def test_command_line_values_must_be_balanced():
    assert mistakes("Idle", variables={"x": "a)"}) == [
        (1, 3, "value of 'x' has unbalanced quotes or parentheses")
    ]


@pytest.mark.parametrize(
    "text, hint",
    [
        ("a :: Quue", "did you mean 'Queue'?"),
        ("cnt :: Idle; ctn -> Idle", "did you mean 'cnt'?"),
        ("elementclass MyQueue Queue; q :: myqueue", "did you mean 'MyQueue'?"),
        ("zzzzz -> Idle", "an element is declared as 'zzzzz :: Class(arguments)'; arguments stand in parentheses"),
        ("a -> Idle; a :: Idle", "it is declared only later, at config:1:12; declare elements before their use"),
        ("Idle -> output", "'output' exists only inside of '{ }' and '( )'"),
        ("elementclass X { -> X -> }",
         "a compound element can't contain itself: "
         "within its own definition 'X' means an earlier class of that name"),
        ("a :: Idle;\na :: Null", "'a' is declared at config:1:1"),
    ],
)  # fmt: skip
def test_hints(text, hint):
    assert hints(text)[0] == hint


def test_known_may_be_a_function():
    assert elements("a :: Idle", known=lambda name: name == "Idle") == ["a :: Idle"]
    assert mistakes("a :: Idle", known=lambda name: False) == [(1, 6, "unknown element class 'Idle'")]


def test_without_known_any_name_may_be_a_class_but_not_both():
    assert elements("a -> b") == ["a@1 :: a", "b@2 :: b"]
    assert mistakes("a -> b;\na :: X", known=None) == [(2, 1, "class 'a' used as element name")]
    assert mistakes("a :: a", known=None) == [(1, 1, "class 'a' used as element name")]
    assert mistakes("a :: X; b :: a", known=None) == [(1, 14, "element 'a' used as a class")]


def test_a_name_that_stands_alone_is_doubtful():
    router = read_text("a, b :: Idle; a [0] -> b; a\nb -> a; Null", known=CLASSES)
    assert [(w.place.line, w.place.column, w.message) for w in router.warnings] == [
        (1, 27, "'a' alone has no effect")
    ]


def test_all_mistakes_are_reported_in_order_and_rendered():
    text = "a :: Quue;\nb -> a;\ndefine(x 1)\n"
    with pytest.raises(ClickError) as raised:
        read_text(text, name="r.click", known=CLASSES)
    assert raised.value.render() == (
        "r.click:1:6: error: unknown element class 'Quue'\n"
        "    a :: Quue;\n"
        "         ^\n"
        "hint: did you mean 'Queue'?\n"
        "r.click:2:1: error: undeclared element 'b'\n"
        "    b -> a;\n"
        "    ^\n"
        "hint: an element is declared as 'b :: Class(arguments)'; arguments stand in parentheses\n"
        "r.click:3:8: error: bad 'define' declaration: 'x' is not a variable\n"
        "    define(x 1)\n"
        "           ^\n"
        "hint: write define($NAME value, ...)\n"
    )


@pytest.mark.whole
def test_compounds_that_multiply_are_refused_before_they_take_all_memory():
    """Two in each make four million elements of twenty-two lines."""
    lines = [f"elementclass C{n} {{ input -> C{n - 1} -> C{n - 1} -> output }}\n" for n in range(1, 23)]
    assert mistakes("elementclass C0 { input -> Null -> output }\n" + "".join(lines) + "Idle -> C22 -> Idle") == [
        (1, 28, "more than 65536 elements")
    ]


def test_the_bound_on_elements_counts_compounds_too(monkeypatch):
    """Two Idle, two compounds, and the Null in each of these, which come last."""
    assert expand.MOST_ELEMENTS == 65536
    monkeypatch.setattr(expand, "MOST_ELEMENTS", 6)
    text = "elementclass C { input -> Null -> output } Idle -> C -> C -> Idle"
    assert len(read_text(text, known=CLASSES).elements) == 4
    assert mistakes(f"{text}; Idle") == [(1, 1 + text.index("Null"), "more than 6 elements")]


def test_compounds_within_each_other_have_an_end():
    lines = [f"elementclass C{n} {{ input -> C{n - 1} -> output }}\n" for n in range(1, 200)]
    text = "elementclass C0 { input -> Null -> output }\n" + "".join(lines) + "Idle -> CLAST -> Idle"
    read_text(text.replace("LAST", "99"), known=CLASSES)
    ((_, _, message),) = mistakes(text.replace("LAST", "199"))
    assert message == "more than 100 compound elements within each other"


def test_names_have_an_end():
    """A compound's name is part of each name in it."""
    assert mistakes(f"{'a' * 4091} :: {{ Idle }}") == [(1, 4098, "an element's name of more than 4096 characters")]
