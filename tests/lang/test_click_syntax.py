"""What the grammar understands: click(5)."""

import pytest

from clickbpf.errors import ClickError, Diagnostics, Place, Sources
from clickbpf.lang import parse
from clickbpf.lang.ast import (
    Anonymous,
    Arrow,
    Body,
    Chain,
    ClassName,
    Compound,
    Config,
    Declaration,
    Declare,
    Define,
    ElementClass,
    Formal,
    Group,
    Item,
    Name,
    PortRange,
    Ports,
    Provide,
    Require,
    Use,
)  # fmt: skip
from clickbpf.lang.build import Build
from clickbpf.lang.config import split_args
from clickbpf.lang.machine import Machine
from clickbpf.lang.tokenizer import tokenize


def one(text):
    (statement,) = parse(text).statements
    return statement


def item(element, inputs=None, outputs=None):
    return Item(inputs, element, outputs)


def ports(*ranges, open=False):
    pairs = (r if isinstance(r, tuple) else (r, r) for r in ranges)
    return Ports(tuple(PortRange(a, b) for a, b in pairs), open)


X = Use("x")
INPUT_OR_OUTPUT = (item(None),)


def chain(*hops, arrows=None):
    return Chain(hops, tuple(Arrow(a) for a in arrows or ["->"] * (len(hops) - 1)))


@pytest.mark.parametrize("text", ["", ";;", " // nothing\n/* at\nall */ ;", "#!/usr/bin/click\n"])
def test_nothing(text):
    assert parse(text).statements == ()


def test_declarations():
    assert one("a :: X;") == Declaration((Name("a"),), ClassName("X"))
    assert one("a, b::X(1, 2)") == Declaration(
        (Name("a"), Name("b")), ClassName("X"), Config("1, 2")
    )
    assert one("a::{x}()") == Declaration(
        (Name("a"),), Compound((Body((), (chain((item(X),)),)),)), Config("")
    )


def test_declaration_within_a_list_counts_for_one_name_only():
    assert one("a, b :: X -> x") == chain(
        (item(Use("a")), item(Declare("b", ClassName("X")))), (item(X),)
    )


def test_connections():
    assert one("a -> b => c") == chain(
        (item(Use("a")),), (item(Use("b")),), (item(Use("c")),), arrows=["->", "=>"]
    )
    assert one("a [1] -> [2] x(5) [3] -> { } (1)") == chain(
        (item(Use("a"), None, ports(1)),),
        (item(Use("x", Config("5")), ports(2), ports(3)),),
        (item(Anonymous(Compound((Body((), ()),)), Config("1"))),),
    )


@pytest.mark.parametrize(
    "text, expected",
    [
        ("[0]", ports(0)),
        ("[ 0 , 1 ]", ports(0, 1)),
        ("[0-2]", ports((0, 2))),
        ("[3, 0-2, 5]", ports(3, (0, 2), 5)),
        ("[]", ports(open=True)),
        ("[1,]", ports(1, open=True)),
        ("[1-]", ports(1, open=True)),
        ("[0x10, 010]", ports(16, 8)),
    ],
)
def test_port_lists(text, expected):
    assert one(f"x {text} -> x") == chain((item(X, None, expected),), (item(X),))
    assert one(f"x -> {text} x") == chain((item(X),), (item(X, expected),))


def test_semicolons_are_optional_where_nothing_is_ambiguous():
    text = "a -> b c :: X elementclass Y Z d -> e require(package p) define($x 1) provide(q) {} -> ()"
    kinds = [type(s).__name__ for s in parse(text).statements]
    assert kinds == [
        "Chain", "Declaration", "ElementClass", "Chain", "Require", "Define", "Provide", "Chain",
    ]  # fmt: skip


def test_brackets_and_parentheses_continue_a_statement():
    assert one("a -> b\n[1] -> c").hops[1] == (item(Use("b"), None, ports(1)),)
    assert one("a -> b\n(1)").hops[1] == (item(Use("b", Config("1"))),)


def test_parenthesis_behind_an_elementclass_statement_is_a_group():
    synonym, group = parse("elementclass A B (x)").statements
    assert synonym == ElementClass("A", ClassName("B"))
    assert group == chain((item(Group((chain((item(X),)),))),))
    definition, group = parse("elementclass A {} (x)").statements
    assert isinstance(group.hops[0][0].element, Group)


def test_implicit_input_and_output():
    (group,) = one("x -> ( -> x [1] -> [2] ; [1] -> ; ->)").hops[1]
    assert group.element.statements == (
        chain(INPUT_OR_OUTPUT, (item(X, None, ports(1)),), (item(None, ports(2)),)),
        chain((item(None, ports(1)),), INPUT_OR_OUTPUT),
        chain(INPUT_OR_OUTPUT, INPUT_OR_OUTPUT),
    )


def test_comma_behind_the_last_of_a_list_is_ignored():
    assert one("x, -> x") == chain((item(X),), (item(X),))


def test_compound_elements():
    text = "elementclass C { $a, KEY $b, __REST__ $r | x || | x || ... }"
    formals = (Formal("a"), Formal("b", "KEY"), Formal("r", "__REST__"))
    statements = (chain((item(X),)),)
    assert one(text) == ElementClass(
        "C", Compound((Body(formals, statements), Body((), statements)), extends=True)
    )


def test_statements_with_configuration():
    assert one("require(package a, library b)") == Require(Config("package a, library b"))
    assert one("provide(x)") == Provide(Config("x"))
    assert one("define($a 1, $b 2)") == Define(Config("$a 1, $b 2"))


def test_identifiers():
    assert one("a@1/_b/3c -> x").hops[0] == (item(Use("a@1/_b/3c")),)
    # A comment ends an identifier: click(5), LEXICAL ISSUES.
    assert one("an/identifier/with/slashes//too/many").hops[0] == (
        item(Use("an/identifier/with/slashes")),
    )


@pytest.mark.parametrize(
    "config",
    [
        "simple string",
        "string with (balanced parens)",
        'string with ")quoted" paren',
        "// end-of-line comment)\n still going!",
        "/* slash-star comment) */ and backslash \\",
        "')'",
        "'\\'",
        '"\\")"',
        "\\<28 /* ) */ 29>",
        "a\r\nb\rc",
        "",
    ],
)
def test_configuration_strings_are_kept_as_written(config):
    assert one(f"x({config})").hops[0] == (item(Use("x", Config(config))),)


def places(text, file="f"):
    return [s.place for s in parse(text, file).statements]


def test_places():
    assert places("a :: X;\n\n  b :: Y;\r\nc") == [Place("f", 1, 1), Place("f", 3, 3), Place("f", 4, 1)]
    hops = one("/* é\n é */\ta\n->[1]b").hops
    assert [hop[0].place for hop in hops] == [Place("config", 2, 7), Place("config", 3, 3)]


def test_line_directives():
    text = 'a\n# 10 "x.click"\nb\n#line 20\nc\n# 5 ""\nd\n'
    assert places(text, "f") == [
        Place("f", 1, 1), Place("x.click", 10, 1), Place("x.click", 20, 1), Place("f", 5, 1),
    ]  # fmt: skip


def test_lines_of_directives_are_remembered_under_their_names():
    sources = parse('a;\n# 7 "x.click"\nb;\n# 1 "y"\nc;', "f").sources
    assert sources.line(Place("x.click", 7, 1)) == "b;"
    assert sources.line(Place("y", 1, 1)) == "c;"
    assert sources.line(Place("f", 1, 1)) == "a;"


def test_line_directive_within_a_configuration_string():
    # As in Click: `m` is declared on line 1, its argument stands on line 100 of another file.
    text = 'm :: Message(\n# 100 "foobar.click"\n"test");\nm2 :: Message("test2");'
    m, m2 = parse(text, "A.click").statements
    assert m.config.text == '\n\n"test"'
    assert m.config.place_of(2) == Place("foobar.click", 100, 1)
    assert (m.place, m2.place) == (Place("A.click", 1, 1), Place("foobar.click", 101, 1))


def test_places_of_arguments():
    config = one("x(1,\n  /* c */ 22, 3)").hops[0][0].element.config
    found = [config.place_of(offset) for _, offset in split_args(config.text)]
    assert found == [Place("config", 1, 3), Place("config", 2, 11), Place("config", 2, 15)]


def test_trees_that_differ_in_places_are_equal():
    assert parse("a->b", "f") == parse("\n a  ->  b ;", "g")
    assert parse("a->b") != parse("a=>b")


@pytest.mark.parametrize("text", ["a, b, c, d;", "a[1, 2, 3, 4];"])
def test_a_list_is_not_copied_for_each_of_its_members(text):
    """Else a long one takes quadratic time."""
    machine, lists = Machine(Build()), []
    for each in tokenize(text, "config", Sources(), Diagnostics()):
        machine.feed(each)
        lists += [value for value in machine.values if isinstance(value, list)]
    assert len(lists) > 2 and len(set(map(id, lists))) == 1


def test_nesting_has_a_limit():
    deep = "(" * 50 + ")" * 50
    assert parse(deep)
    with pytest.raises(ClickError, match="1:51: error: more than 50 levels of nesting"):
        parse("(" * 5000)
