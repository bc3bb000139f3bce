"""Profiles: what is read, what fits a router, and what is done with it."""

from __future__ import annotations

import json

import pytest

from clickbpf.compile import Compilation, check_text
from clickbpf.errors import ClickError
from clickbpf.plan import Options
from clickbpf.plan.profile import Profile
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
ROUTER = """
FromDevice(eth0) -> kind :: Classifier(12/0800, 12/0806, -);
kind[0] -> Strip(14) -> CheckIPHeader -> rules :: IPFilter(
    deny src net 10.0.0.0/8,   allow  tcp && dst port 80,
    deny dst 192.0.2.1, allow udp && dst port 53, allow udp && dst port 53, deny all);
kind[1], kind[2] => Discard, Discard;
rules -> Unstrip(14) -> Queue -> ToDevice(eth1);
"""
RULES = {"allow udp && dst port 53": 900, "deny all": 3, "no rule": 0}
CHECKED = check_text(ROUTER, LIBRARY)


def planned(elements: dict, **options):
    return Compilation(CHECKED, Options(profile=Profile(elements), **options)).plan


def warned(elements: dict) -> list[tuple[str, str | None]]:
    return [(each.message.partition(": ")[2], each.hint) for each in Profile(elements).unused(CHECKED)]


def test_rules_are_known_by_their_text():
    """However it is written; of equal ones the first has the packets."""
    plan = planned({"rules": RULES})
    assert plan.profiled.favoured == {"rules": (903, ("allow udp && dst port 53",))}
    assert Profile({"rules": RULES}).packets("rules", CHECKED.instances["rules"].ways.names) == [0, 0, 0, 900, 0, 3, 0]


def test_only_the_kernel_path_differs_and_only_where_a_profile_has_packets():
    plain, made = Compilation(CHECKED), Compilation(CHECKED, Options(profile=Profile({"rules": RULES})))
    idle = Compilation(CHECKED, Options(profile=Profile({"rules": {"deny all": 0}})))
    assert made.bpf_text != plain.bpf_text == idle.bpf_text
    assert made.native().code.text == plain.native().code.text
    assert made.checked.instances["rules"].read_program() == made.plan.checked.instances["rules"].read_program()


def test_a_profile_is_kept_in_the_manifest():
    made = Compilation(CHECKED, Options(profile=Profile({"rules": RULES})))
    assert Compilation.reopened(made.manifest).bpf_text == made.bpf_text
    assert "profile" not in Compilation(CHECKED).manifest.planned


def test_what_a_profile_has_of_another_configuration_is_said():
    assert warned({"rules": RULES, "kind": {"12/0800": 1}}) == []
    assert warned({"rule": {"x": 1}}) == [("there is no element 'rule'", "did you mean 'rules'?")]
    (said, hint), = warned({"rules": {"deny dst 192.0.2.2": 5}})
    assert said == "'rules' has no rule 'deny dst 192.0.2.2'" and hint == "did you mean 'deny dst 192.0.2.1'?"
    assert warned({"rules": {"b": 1, "a": 2, "c": 0}})[0][0] == "'rules' has no rule 'a', nor 2 others that it has packets of"
    assert "in an order that no profile changes" in warned({"Discard@6": {"14": 5}})[0][0]


@pytest.mark.parametrize(
    "text, mistakes",
    [
        (b"{", ["p.json is not a profile: Expecting property name"]),
        (b"\xff\xfe\xfa", ["p.json is not a profile: "]),
        (b"[" * 100_000, ["p.json is not a profile: "]),
        (b"[]", ['p.json is not a profile: it has no "elements"']),
        (b'{"elements": 5}', ['p.json is not a profile: it has no "elements"']),
        (
            b'{"elements": {"a": {"b": "c", "d": -1, "e": true, "f": 1.5, "g": NaN, "h": 5}, "x": 5}}',
            [*(f"'a', '{way} is not a number" for way in ('b\': "c"', "d': -1", "e': true", "f': 1.5", "g': NaN")), "of 'x' are not"],
        ),
        (b'{"elements": {"a": {"b": 18446744073709551616}}}', ["18446744073709551616 is not a number of packets"]),
    ],
)
def test_all_mistakes_of_a_profile_are_reported(text, mistakes):
    with pytest.raises(ClickError) as found:
        Profile.from_json(text, "p.json")
    said = [each.message for each in found.value.diagnostics]
    assert len(said) == len(mistakes)
    assert all(wanted in message for wanted, message in zip(mistakes, said, strict=True))


def test_a_profile_reads_as_it_is_written():
    """Packets of ways with one name are one number."""
    made = Profile.counted([("a", "x"), ("a", "y\udcff"), ("a", "x"), ("b", "x")], [1, 2, 3, 4])
    assert made.elements == {"a": {"x": 4, "y\udcff": 2}, "b": {"x": 4}}
    assert Profile.from_json(made.to_json(), "it") == made
    assert json.loads(made.to_json()) == {"elements": made.elements}


def test_rules_that_are_data_have_no_order():
    rules = [", ".join(["allow udp && dst port 53"] * number) for number in (128, 129)]
    few, many = (check_text(f"Idle -> c :: IPFilter({each}) -> Discard;", LIBRARY) for each in rules)
    assert len(few.instances["c"].ways.names) == 129
    assert many.instances["c"].ways is None
