"""Variables in configuration strings."""

import pytest

from clickbpf.errors import ClickError, Place
from clickbpf.lang.ast import Anchor, Config
from clickbpf.lang.variables import Scope, cut, expand, join


def scope(parent=None, **values):
    return Scope(parent, {name: Config(value) for name, value in values.items()})


@pytest.mark.parametrize(
    "text, result",
    [
        ("$a", "x y"),
        ("${a}b", "x yb"),
        ("$ab", "$ab"),
        ("1, $a,$n", "1, x y,2"),
        ('"$a"', '"x y"'),
        ('"$q"', '"\\"p, q\\""'),
        ("$q", '"p, q"'),
        ("'$a'", "'$a'"),
        ('"\\$a"', '"\\$a"'),
        ("\\$a", "\\x y"),
        ("/* $a */ $n // $a\n$n", "/* $a */ 2 // $a\n2"),
        ("\"// $n\" '/*' $n", "\"// 2\" '/*' 2"),
        ("${z-9}", "9"),
        ("${a-9}", "x y"),
        ("${z-$n}", "2"),
        ("${z}", "${z}"),
        ("${ n }", "2"),
        ("${z-}|", "|"),
        ("${a[0]}${a[1]}", "xy"),
        ("<${a[2]}>", "<>"),
        ("${a[$one]}", "y"),
        ("${z[$one]}", "${z[1]}"),
        ("$again", "x y!"),
        ("$self", "$self"),
        ("$ ${ $", "$ ${ $"),
        ("${a", "${a"),
        ("$(n)|", "2|"),
        ("$(n )", "$(n )"),
        ("$(q.length) $n", "$(q.length) 2"),
        ("$(add $n $n) $n", "$(add 2 2) 2"),
        ("$(mul $(n) (\\$n))", "$(mul 2 (\\2))"),
        ("$(f ')' $n)$n", "$(f ')' 2)2"),
        ("$(f '$n')", "$(f '$n')"),
        ("'$(n)'", "'$(n)'"),
        ('"$(q)"', '"\\"p, q\\""'),
        ('"$(f $q)"', '"$(f "p, q")"'),
        ("$n $(a $n", "2 $(a $n"),
    ],
)
def test_expand(text, result):
    variables = scope(a="x y", n="2", q='"p, q"', one="1", again="$a!", self="$self")
    assert expand(Config(text), variables).text == result


def test_inner_scopes_hide_outer_ones():
    inner = scope(scope(a="outer", b="outer"), a="inner")
    assert expand(Config("$a $b"), inner).text == "inner outer"


def test_a_definition_sees_the_scopes_around_it():
    outermost = scope()
    caller = scope(scope(outermost))
    assert caller.depth == 2
    assert caller.enclosing(1) is outermost
    assert caller.enclosing(2) is caller.parent


def at(line, column, file="f"):
    return Place(file, line, column)


def text(string, line, column):
    return Config(string, (Anchor(0, at(line, column)),))


def test_values_keep_their_places():
    variables = Scope(None, {"a": text("val", 9, 5)})
    found = expand(text("1, $a, 2", 1, 10), variables)
    assert found.text == "1, val, 2"
    assert [found.place_of(i) for i in (0, 3, 5, 6, 8)] == [
        at(1, 10), at(9, 5), at(9, 7), at(1, 15), at(1, 17),
    ]  # fmt: skip


def test_quoted_values_come_from_their_beginning():
    found = expand(text('"<$a>"', 1, 1), Scope(None, {"a": text("x", 9, 5)}))
    assert found.place_of(2) == at(9, 5)
    assert found.place_of(3) == at(1, 5)


def test_cut_and_join():
    joined = join([text("ab", 1, 1), text("cd", 2, 1)], ", ")
    assert joined.text == "ab, cd"
    part = cut(joined, 1, 5)
    assert part.text == "b, c"
    assert [part.place_of(i) for i in (0, 3)] == [at(1, 2), at(2, 1)]
    assert join([]).text == ""


DOUBLED = {f"v{n}": f"$v{n - 1}$v{n - 1}" for n in range(1, 60)}
CHAINED = {f"v{n}": f"$v{n - 1}" for n in range(1, 5000)}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("$v59", DOUBLED),
        pytest.param("$v4999", CHAINED, marks=pytest.mark.whole),
        pytest.param("$(" * 5000 + "$v0" + ")" * 5000, {}, marks=pytest.mark.whole),
    ],
    ids=["values of two values", "values of values", "parentheses"],
)
def test_values_without_a_reasonable_end_are_refused(text, values):
    with pytest.raises(ClickError, match="values of variables contain too many variables"):
        expand(Config(text), scope(v0="a", **values))
