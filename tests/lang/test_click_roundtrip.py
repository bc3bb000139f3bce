"""`parse(unparse(tree))` is `tree`, for any tree."""

from hypothesis import given, settings
from hypothesis import strategies as st

from clickbpf.graph.elaborate import read_text
from clickbpf.graph.unparse import flat_configuration, unparse_router
from clickbpf.lang import parse, unparse
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
    File,
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
from clickbpf.lang.config import is_balanced
from clickbpf.lang.tokens import KEYWORDS

names = st.from_regex(r"[a-zA-Z0-9_@]{1,4}(/[a-zA-Z0-9_@]{1,3}){0,2}", fullmatch=True).filter(
    lambda name: name not in KEYWORDS
)
config_pieces = st.sampled_from(
    ["1", "a b", ", ", "(x)", "'quo)ted'", '"a\\"b("', "\\<4(1>", "/*)*/", "// )\n", "$a", "${b-c}", "\n"]
) | st.text(alphabet="abz:./-$é\t\\|{}[];=>", max_size=6)  # fmt: skip
configs = st.lists(config_pieces, max_size=4).map("".join).filter(is_balanced).map(Config)
maybe_configs = st.none() | configs

ranges = st.tuples(st.integers(0, 9), st.sampled_from([0, 0, 2])).map(
    lambda r: PortRange(r[0], r[0] + r[1])
)
port_lists = st.builds(
    lambda found, open: Ports(tuple(found), open or not found),
    st.lists(ranges, max_size=3),
    st.booleans(),
)
maybe_ports = st.none() | st.none() | port_lists


def items(element_kinds, first: bool, last: bool):
    inputs = st.none() if first else maybe_ports
    outputs = st.none() if last else maybe_ports
    return st.builds(Item, inputs, element_kinds, outputs)


def hops(element_kinds, first=False, last=False, implicit=False):
    plain = items(element_kinds, first, last)
    if not implicit:
        return st.lists(plain, min_size=1, max_size=3).map(tuple)
    with_ports = st.builds(Item, port_lists, st.none(), st.none())
    listed = st.lists(plain | with_ports, min_size=1, max_size=3).map(tuple)
    return listed | st.just((Item(None, None, None),))


@st.composite
def chains(draw, element_kinds, nested):
    n = draw(st.integers(1, 4))
    if n == 1:
        (hop,) = (draw(hops(element_kinds, first=True, last=True)),)
        *before, last = hop
        spreads = isinstance(last.element, Declare) and all(
            isinstance(i.element, Use) and i.element.config is None for i in before
        )
        if spreads:  # alone in a statement this is a declaration
            return Declaration(
                tuple(Name(i.element.name) for i in hop), last.element.class_, last.element.config
            )
        return Chain((hop,), ())
    made = [draw(hops(element_kinds, first=True, implicit=nested))]
    made += [draw(hops(element_kinds)) for _ in range(n - 2)]
    made += [draw(hops(element_kinds, last=True, implicit=nested))]
    arrows = tuple(Arrow(draw(st.sampled_from(["->", "=>"]))) for _ in made[1:])
    return Chain(tuple(made), arrows)


def statements(depth: int, nested: bool):
    classes = class_names | compounds(depth - 1) if depth else class_names
    element_kinds = st.builds(Use, names, maybe_configs) | st.builds(
        Declare, names, classes, maybe_configs
    )
    if depth:
        element_kinds |= st.builds(Anonymous, compounds(depth - 1), maybe_configs)
        element_kinds |= st.builds(Group, statements(depth - 1, nested=True))
    kinds = [
        chains(element_kinds, nested),
        st.builds(
            Declaration,
            st.lists(st.builds(Name, names), min_size=1, max_size=3).map(tuple),
            classes,
            maybe_configs,
        ),
        st.builds(ElementClass, names, classes),
        st.builds(Require, configs),
        st.builds(Provide, configs),
        st.builds(Define, configs),
    ]
    return st.lists(st.one_of(kinds), max_size=3).map(tuple)


class_names = st.builds(ClassName, names)
formals = st.builds(Formal, names.map(lambda n: n.replace("/", "_").replace("@", "_")), st.none() | names)


def compounds(depth: int):
    bodies = st.builds(
        Body, st.lists(formals, max_size=2).map(tuple), st.deferred(lambda: statements(depth, True))
    )
    return st.builds(Compound, st.lists(bodies, min_size=1, max_size=2).map(tuple), st.booleans())


@given(statements(2, nested=False).map(File))
@settings(max_examples=60)
def test_any_tree(tree):
    text = unparse(tree)
    assert parse(text) == tree
    assert unparse(parse(text)) == text


def test_canonical_text():
    text = "a,b::X(1 , 2)c->d[0,1-3,]=>{$x,K $y|->z||}->(q)elementclass A{B||...}require( p )"
    assert unparse(parse(text)) == (
        "a, b :: X(1 , 2);\n"
        "c -> d [0, 1-3,] => {\n"
        "    $x, K $y |\n"
        "    -> z;\n"
        "||\n"
        "} -> (q;);\n"
        "elementclass A {\n"
        "    B;\n"
        "||\n"
        "    ...\n"
        "};\n"
        "require( p );\n"
    )


def test_flat_router():
    text = """
        require(package p, compact_config); provide("a b")
        elementclass C { $a | input -> x :: X($a, "$a") -> output; input [1] -> Y -> [1] output }
        s :: S => [0,1] c :: C(4 5) => t :: T, [3]t; t [2] -> s
    """
    router = read_text(text)
    flat = unparse_router(router)
    assert flat == (
        "require(package p, compact_config);\n"
        'provide("a b");\n'
        "\n"
        "s :: S;\n"
        "t :: T;\n"
        'c/x :: X(4 5, "4 5");\n'
        "c/Y@2 :: Y;\n"
        "\n"
        "s [1] -> c/Y@2\n"
        "    -> [3] t;\n"
        "t [2] -> s\n"
        "    -> c/x\n"
        "    -> t;\n"
    )
    assert read_text(flat) == router


def test_chains_in_clicks_order():
    """In flatconfig, connections are in the order of the elements that they lead to; a chain goes on to an input 0 if it can."""
    text = "a, x :: Tee; Idle -> x; i :: Idle -> a -> q :: Tee -> d :: Discard; a[1] -> d; q[1] -> a; q[2] -> x -> x; x[1] -> x"
    assert flat_configuration(read_text(text)).partition("\n\n")[2] == (
        "i -> a\n    -> q\n    -> d;\nq [1] -> a;\nx [1] -> x\n    -> x;\nIdle@3 -> x;\nq [2] -> x;\na [1] -> d;\n"
    )
