"""Instances of element classes, and mistakes in their arguments with places."""

from ipaddress import IPv4Address

import pytest
from tests.graph.classes import checked, library, mistakes

from clickbpf.args import ArgError, IPAddress, Keyword, Raw, Required, Rest
from clickbpf.args.names import IP
from clickbpf.errors import ClickError
from clickbpf.graph.check import check
from clickbpf.graph.elaborate import read_text
from clickbpf.lang.config import split_words
from clickbpf.vocabulary.element import Element, running
from clickbpf.vocabulary.roles import NameGiver


class AddressBook(NameGiver):
    """Defines NAME ADDRESS pairs, as AddressInfo does."""

    ports = "0/0"
    args = (Rest("PAIR", Raw()),)

    def define_names(self, names):
        for index, pair in enumerate(self.cfg.pair):
            name, *address = split_words(pair)
            if len(address) != 1:
                raise ArgError("expected NAME ADDRESS", argument="PAIR", index=index)
            names.define(IP, self.name, name, IPAddress().parse(address[0], self.context))


class Range(Element):
    """Two arguments that depend on each other."""

    ports = "0/0"
    args = (Required("FROM", IPAddress()), Required("TO", IPAddress()), Keyword("NAME", Raw()))

    def configure(self):
        errors = []
        if getattr(self.cfg, "from") > self.cfg.to:
            errors.append(ArgError("ends before it begins", "exchange them", argument="TO"))
        if self.cfg.name and "bad" in self.cfg.name:
            errors.append(ArgError("bad name", argument="NAME", offset=self.cfg.name.index("bad")))
        if errors:
            raise ExceptionGroup("range", errors)
        self.cfg.size = int(self.cfg.to) - int(getattr(self.cfg, "from")) + 1


class Broken(Element):
    """A class with a bad flow code."""

    ports, flow = "0/0", "x/x/x"


def found(text, *more):
    return [(d.place.line, d.place.column, d.message, d.hint) for d in mistakes(text, *more)]


def test_values_and_ports():
    router = checked("i :: Idle -> c :: Counted(3, ACTIVE no, PEER i) -> Discard")
    c = router.instances["c"]
    assert (c.cfg.count, c.cfg.peer, c.cfg.active, c.cfg.address) == (3, "i", False, None)
    assert (c.name, c.ninputs, c.noutputs) == ("c", 1, 1)
    assert list(router.instances) == ["i", "c", "Discard@3"]


def test_a_configured_element_does_not_change():
    c = checked("i :: Idle -> c :: Counted(3) -> Discard").instances["c"]
    with pytest.raises(AttributeError, match="'c' is configured: only a running element's count can be changed"):
        c.count = 4
    with pytest.raises(AttributeError, match="can't be changed: count"):
        c.cfg.count = 4
    one, other = running(c, {}), running(c, {})
    one.count = 4
    assert [hasattr(each, "count") for each in (c, one, other)] == [False, True, False]


def test_a_class_may_count_its_own_ports():
    c = checked("Source -> c :: Classify(12/0800, -) -> Discard; c [1] -> Discard").instances["c"]
    assert c.noutputs == 2
    messages = [message for _, _, message, _ in found("Source -> c :: Classify(12/0800, 12/0806, -) -> Discard")]
    assert messages == ["outputs 1 to 2 of 'c' are not connected"]


def test_a_class_derives_values_and_checks_them():
    assert checked("r :: Range(1.0.0.1, 1.0.0.3)", Range).instances["r"].cfg.size == 3
    text = "r :: Range(1.0.0.2,\n           1.0.0.1, NAME very bad)"
    assert found(text, Range) == [
        (2, 12, "Range: ends before it begins", "exchange them"),
        (2, 31, "Range: bad name", None),
    ]


def test_names_are_known_wherever_they_are_defined():
    text = "Idle -> c :: Counted(1, ADDRESS mauer) -> Discard; AddressBook(mauer 10.0.0.1, twice mauer)"
    router = checked(text, AddressBook)
    assert router.instances["c"].cfg.address == IPv4Address("10.0.0.1")


def test_names_of_a_compound():
    text = (
        "AddressBook(a 1.0.0.1);\n"
        "in :: { AddressBook(a 2.0.0.1, b 2.0.0.2); input -> x :: Counted(1, ADDRESS a) -> y :: Counted(1, ADDRESS b) -> output };\n"
        "Idle -> in -> z :: Counted(1, ADDRESS a) -> Discard;\n"
    )
    instances = checked(text, AddressBook).instances
    assert [str(instances[name].cfg.address) for name in ("in/x", "in/y", "z")] == ["2.0.0.1", "2.0.0.2", "1.0.0.1"]
    outside = text + "Idle -> Counted(1, ADDRESS b) -> Discard;"
    assert found(outside, AddressBook) == [(4, 28, "Counted: ADDRESS: 'b' is not an IP address, nor the name of one", None)]


def test_mistakes_of_name_definitions():
    assert found("AddressBook(a 1.0.0.1, b)", AddressBook) == [(1, 24, "AddressBook: expected NAME ADDRESS", None)]


def test_unknown_class_has_a_suggestion():
    router = read_text("a :: Discrad; Idle -> a")
    with pytest.raises(ClickError) as error:
        check(router, library())
    (diagnostic,) = error.value.diagnostics
    assert (diagnostic.message, diagnostic.hint) == ("unknown element class 'Discrad'", "did you mean 'Discard'?")
    assert diagnostic.place == router.element("a").place


def test_all_arguments_of_all_elements():
    text = "Idle -> Counted(300, ACTIV no,\n  PEER nobody) -> Discard;\nIdle -> Counted() -> Discard"
    assert found(text) == [
        (1, 17, "Counted: COUNT: out of range, bound 255", "expected an integer from 0 to 255"),
        (1, 22, "Counted: ACTIV: unknown argument", "did you mean 'ACTIVE'?"),
        (2, 8, "Counted: PEER: no element named 'nobody'", "expected the name of an element"),
        (3, 9, "Counted: required argument COUNT is missing", "expected COUNT, an integer from 0 to 255"),
    ]


def test_place_of_a_value_that_a_compound_was_given():
    text = "elementclass C { $n | input -> Counted($n) -> output }\nIdle -> C(700) -> Discard"
    assert [where[:3] for where in found(text)] == [(2, 11, "Counted: COUNT: out of range, bound 255")]


def test_a_mistake_does_not_hide_or_cause_others():
    text = "s :: Source -> Counted(x) -> PullSink; n :: Null"
    assert [message for _, _, message, _ in found(text)] == [
        "Counted: COUNT: 'x' is not an integer from 0 to 255",
        "'Counted@2' has a push input 0 and a pull output 0, but needs the same on both sides",
        "'n' is not connected",
    ]


def test_bad_code_in_a_class():
    assert found("b :: Broken", Broken) == [(1, 1, "Broken: bad flow code 'x/x/x' in its class", None)]


def test_checked_router_does_not_change():
    router = checked("Idle -> Discard")
    with pytest.raises(AttributeError):
        router.instances = {}
    with pytest.raises(TypeError):
        router.instances["x"] = None
