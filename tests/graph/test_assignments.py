"""NAME=VALUE on a command line that nothing uses, and variables that nothing sets."""

import pytest

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
ROUTER = "define($ETH0 eth0); FromDevice($ETH0) -> Discard; FromDevice(outside) -> ARPResponder(inner:ip 1:1:1:1:1:1) -> Discard"


def mistakes(text: str, **given: str) -> list[tuple[str, str | None]]:
    try:
        check_text(text, LIBRARY, given, devices=given)
    except ClickError as error:
        return [(str(d), d.hint) for d in error.diagnostics]
    return []


@pytest.mark.parametrize("name", ["ETH0", "outside"])
def test_variables_and_devices_are_used(name):
    assert not mistakes(ROUTER.replace("inner:ip", "10.0.0.1"), **{name: "eth1"})


@pytest.mark.parametrize("name, meant", [("ETHO", "ETH0"), ("outsdie", "outside"), ("ETH1", "ETH0")])
def test_a_mistyped_name_is_a_mistake(name, meant):
    ((message, hint),) = mistakes(ROUTER.replace("inner:ip", "10.0.0.1"), **{name: "eth1"})
    assert message == f"error: nothing uses {name}=eth1: the configuration has no variable ${name} and no device {name}"
    assert meant in hint


def test_a_device_whose_address_alone_is_used_is_used():
    assert not [m for m, _ in mistakes(ROUTER, inner="nosuch0") if "nothing uses" in m]


def test_a_parameter_of_a_compound_is_no_variable_of_the_configuration():
    compound = "elementclass In { $D | FromDevice($D) -> Discard } In(eth0)"
    assert [m for m, _ in mistakes(compound, D="eth1")] == [
        "error: nothing uses D=eth1: the configuration has no variable $D and no device D"
    ]


def test_a_definition_that_nothing_needs_may_be_given():
    assert not mistakes("define($DEBUG false); Idle -> Discard", DEBUG="true")


def test_what_a_mistake_hides_is_not_guessed_at():
    assert [m for m, _ in mistakes("FromDevice(outside, NOSUCH 1) -> Discard", outside="eth1")] == [
        "config:1:21: error: FromDevice: NOSUCH: unknown argument"
    ]
    broken = mistakes("Idle -> Discard; x :: ($A; FromDevice(eth0) -> Discard", A="1")
    assert broken and not [m for m, _ in broken if "nothing uses" in m]


def test_under_clicks_names_it_is_a_warning():
    checked = check_text("Idle -> Discard", LIBRARY, {"A": "1"}, staged=True)
    assert [(d.severity, d.message.partition(":")[0]) for d in checked.warnings] == [("warning", "nothing uses A=1")]


@pytest.mark.parametrize(
    "argument, column",
    [
        ("FromDevice($DEV) -> Discard", 12),
        ("FromDevice(eth0) -> Queue -> ToDevice(${DEV})", 39),
        ("FromDevice(eth0) -> ToHost($DEV)", 28),
        ("Idle -> Paint($DEV) -> Discard", 15),
        ("Idle -> Queue(1$DEV) -> Discard", 15),
        ("Idle -> ToDump(/tmp/$DEV)", 16),
    ],
)
def test_a_variable_without_a_value_is_reported_as_that(argument, column):
    ((message, hint),) = mistakes(argument)
    assert message.startswith(f"config:1:{column}: error: ") and message.endswith(": the variable $DEV is not set")
    assert "DEV=VALUE" in hint


def test_names_in_single_quotes_are_names():
    assert not mistakes("Idle -> ToDump('/tmp/a$b'); Idle -> Print('$x') -> Print($x) -> Discard")
