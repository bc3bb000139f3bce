"""Which copies the kernel makes: those that only classes that look at them meet, on the way to different devices."""

import pytest

from clickbpf.compile import check_text
from clickbpf.objects.hooks import TC, XDP
from clickbpf.plan import Options, Plan, plan
from clickbpf.plan.copies import MOST_DEVICES, MOST_SETS
from clickbpf.plan.values import USER
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()


def planned(text: str, **options) -> Plan:
    return plan(check_text(text, LIBRARY), Options(**options))


def tee(*branches: str) -> str:
    """A Tee with these outputs, of packets of the device `in`."""
    return f"FromDevice(in) -> t :: Tee({len(branches)}); " + " ".join(f"t[{n}] -> {branch};" for n, branch in enumerate(branches))


A, B, C = ("Queue -> ToDevice(a)", "Counter -> Queue -> Counter -> ToDevice(b)", "Null -> Discard")


def test_branches_that_only_send_leave_together():
    made = planned(tee(A, B))
    assert made.placements["t"].where == XDP
    assert made.copy_sets == (("a", "b"),)
    assert made.placements["t"].reason.endswith("leave by a, b together")


def test_a_branch_may_end():
    assert planned(tee(A, B, C)).copy_sets == (("a", "b"),)
    assert planned(tee(A, C)).copy_sets == (), "one device takes no set"
    assert planned(tee(A, C)).placements["t"].where == XDP


def test_where_a_class_chooses_there_are_several_sets():
    short, ip = "CheckLength(100) -> Queue -> ToDevice(b)", "c :: Classifier(12/0800, -) -> Queue -> ToDevice(c); c[1] -> Discard"
    made = planned(tee(A, short, ip))
    (copies,) = made.copies["t"]
    assert set(copies.leaving) == {("a",), ("a", "b"), ("a", "c"), ("a", "b", "c")}
    assert len(made.copy_sets) == 3


@pytest.mark.parametrize("hook", [XDP, TC])
@pytest.mark.parametrize(
    "branch, why",
    [
        ("Queue -> ToDevice(a)", "two of its copies leave by a"),
        ("p :: TimeRange -> Discard", "p runs in user space"),
        ("s :: Strip(14) -> Discard", "s does more than look at its copy"),
        ("q :: Queue -> RatedUnqueue(1) -> Discard", "q runs in user space"),
        ("n :: Null -> m :: Null -> n", "n is part of a loop"),
    ],
)
def test_what_the_kernel_cant_do_the_runtime_does(branch, why, hook):
    made = planned(tee(A, branch, *([] if "leave by" in why else ["Strip(14) -> Discard"])), hook=hook)
    assert (made.placements["t"].where, made.copies) == (USER, {})
    assert made.placements["t"].reason == f"the kernel can't make its copies: {why}"


EDITS, LOOKS = "s :: Strip(14) -> Queue -> ToDevice(c)", "l :: Classifier(12/0800, -) -> p :: Print -> Discard; l[1] -> Counter -> Discard"


@pytest.mark.parametrize("hook", [XDP, TC])
@pytest.mark.parametrize("branches, goes_on", [((EDITS, LOOKS), 0), ((LOOKS, EDITS), 1), ((LOOKS, "TimeRange -> Discard", C), 1)])
def test_a_packet_goes_on_beside_copies_that_dont_leave(branches, goes_on, hook):
    made = planned(tee(*branches), hook=hook)
    (copies,) = made.copies["t"]
    assert (made.placements["t"].where, copies.goes_on, copies.leaving, made.copy_sets) == (hook, goes_on, ((),), ())
    assert made.placements["t"].reason.endswith("a packet goes on when copies that don't leave have been looked at")


def test_on_tc_a_packet_goes_on_beside_copies_that_leave():
    made = planned(tee(A, EDITS, LOOKS), hook=TC)
    (copies,) = made.copies["t"]
    assert (made.placements["t"].where, copies.goes_on, copies.leaving) == (TC, 1, (("a",),))
    assert made.placements["t"].reason.endswith("a packet goes on when copies have left by a")


@pytest.mark.parametrize(
    "branches, goes_on",
    [
        ((A, "Strip(14) -> Unstrip(14) -> Queue -> ToDevice(a)"), 1),
        (("s :: Strip(14) -> u :: Unstrip(14) -> Queue -> RatedUnqueue(1) -> Queue -> ToDevice(a)", A), None),
    ],
)
def test_copies_leave_by_a_device_in_their_order(branches, goes_on):
    made = planned(tee(*branches), hook=TC)
    if goes_on is None:
        assert made.placements["t"].reason == "the kernel can't make its copies: its copies may leave by a one after another"
    else:
        assert made.copies["t"][0].goes_on == goes_on


@pytest.mark.parametrize(
    "branches, why",
    [
        ((A, EDITS, C), "s does more than look at its copy"),
        (("r :: Strip(14) -> Discard", EDITS, C), "r does more than look at its copy"),
        (("s :: Strip(14) -> q :: Print -> Discard", LOOKS), "q looks at its copy before p"),
        (("s :: Strip(14) -> n :: Null -> m :: CheckLength(9) -> n; m[1] -> q :: Print -> Discard", LOOKS), "q looks at its copy before p"),
    ],
)
def test_a_packet_goes_on_only_where_that_makes_no_difference(branches, why):
    made = planned(tee(*branches))
    assert (made.placements["t"].where, made.placements["t"].reason) == (USER, f"the kernel can't make its copies: {why}")


def test_what_looks_after_a_queue_looks_when_the_queue_lets_it():
    made = planned(tee("Strip(14) -> Queue -> Print -> ToDevice(c)", LOOKS))
    assert (made.placements["t"].where, made.copies["t"][0].goes_on) == (XDP, 0)


def test_a_class_that_does_not_always_copy_stays_and_gives_packets_up():
    made = planned("FromDevice(in) -> t :: PaintTee(1) -> Queue -> ToDevice(a); t[1] -> p :: TimeRange -> Discard;")
    assert made.placements["t"].where == XDP
    assert made.placements["t"].reason == "its class runs in the kernel, except where it copies: p runs in user space"
    assert made.copies == {}


def test_an_element_behind_one_that_is_left_is_left_too():
    """The first Tee's copies could be made if only the second one's could."""
    made = planned(tee(A, "t2 :: Tee(2); t2[0] -> TimeRange -> Discard; t2[1] -> Discard"))
    assert made.placements["t"].where == made.placements["t2"].where == USER


def test_there_are_not_too_many_sets():
    choosers = [f"CheckLength(100) -> Queue -> ToDevice(d{n})" for n in range(5)]
    assert MOST_SETS < 2**5
    assert planned(tee(*choosers)).placements["t"].reason.endswith("there are too many sets of devices by which copies leave")


def test_all_sets_of_a_router_are_not_too_many():
    """Three Tees with 11 sets of several devices each: there is room for those of two."""
    assert 2 * 11 <= MOST_SETS < 3 * 11
    text = ""
    for number in range(3):
        text += f"FromDevice(in{number}) -> t{number} :: Tee(4);"
        text += "".join(f"t{number}[{n}] -> CheckLength(100) -> Queue -> ToDevice(to{number}{n});" for n in range(4))
    made = planned(text)
    assert [made.placements[f"t{number}"].where for number in range(3)] == [XDP, XDP, USER]
    assert len(made.copy_sets) == 2 * 11


def test_ways_are_not_counted_that_are_too_many_to_count():
    choosers = [f"CheckLength(100) -> Queue -> ToDevice(d{n})" for n in range(50)]
    assert planned(tee(*choosers)).placements["t"].where == USER


@pytest.mark.parametrize("more, where", [(0, XDP), (1, USER)])
def test_devices_are_not_more_than_a_word_has_bits(more, where):
    """`in`, a and b; one bit is for copies that are given up."""
    others = "".join(f"FromDevice(d{n}) -> Discard;" for n in range(MOST_DEVICES - 3 + more))
    assert planned(tee(A, B) + others).placements["t"].where == where


def test_a_hub_of_two_makes_no_copies():
    made = planned("FromDevice(a) -> h :: Hub -> Queue -> ToDevice(a); FromDevice(b) -> [1] h [1] -> Queue -> ToDevice(b);")
    assert (made.placements["h"].where, made.copy_sets) == (XDP, ())
    assert made.placements["h"].reason.endswith("its copies leave one at a time")
