"""With --spread, Queues that lead to another thread stay in the kernel."""

import pytest

from clickbpf.compile import check_text
from clickbpf.objects.hooks import TC, XDP
from clickbpf.plan import Options, Plan, plan
from clickbpf.plan.hops import Hop
from clickbpf.plan.values import USER
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
LINE = "FromDevice(in) -> c :: Counter -> q :: Queue({}) -> u :: Unqueue({}) -> d :: Counter -> Queue -> ToDevice(out); "
HOME = "StaticThreadSched(u 1);"


def planned(text: str, **options) -> Plan:
    return plan(check_text(text, LIBRARY), Options(**options))


def test_a_queue_with_an_unqueue_on_a_thread_leads_to_its_cpu():
    made = planned(LINE.format(100, "BURST 8") + HOME, spread=True)
    assert made.hops == {"q": Hop("q", "u", 1)}
    assert {name: made.placements[name].where for name in "cqud"} == dict.fromkeys("cqud", XDP)
    assert made.placements["q"].reason == "packets wait in a queue of the CPU of thread 1"
    assert made.placements["u"].reason == "packets of q come here on the CPU of thread 1"
    assert [(program.element, program.device, program.jump) for program in made.programs if program.element == "u"] == [("u", None, None)]


def test_with_a_balanced_thread_sched_queues_begin_on_the_first_cpu_or_where_static_thread_sched_says():
    balanced = LINE.format("", "") + "BalancedThreadSched;"
    assert planned(balanced, spread=True).hops == {"q": Hop("q", "u", 0)}
    assert planned(balanced + HOME, spread=True).hops == {"q": Hop("q", "u", 1)}
    assert planned(balanced + "StaticThreadSched(u -1);", spread=True).hops == {}


@pytest.mark.parametrize(
    "text, why",
    [
        (LINE.format("", ""), "no StaticThreadSched or BalancedThreadSched gives u a thread"),
        (LINE.format("", "") + "StaticThreadSched(u -1);", "no StaticThreadSched or BalancedThreadSched gives u a thread"),
        (LINE.format(16001, "") + HOME, "a queue between CPUs holds at most 16000 packets"),
        (LINE.format("", "LIMIT 5") + HOME, "no Unqueue pulls from it"),
        (LINE.format("", "").replace("d :: Counter", "d :: Classifier(0/01, -)") + "d[1] -> c;" + HOME, "packets come back to it from u"),
    ],
    ids=["no home", "no thread", "large", "decides", "loop"],
)
def test_other_queues_are_in_user_space_and_the_reason_is_given(text, why):
    made = planned(text, spread=True)
    assert (made.hops, made.placements["q"].where) == ({}, USER)
    assert made.placements["q"].reason.endswith(f"; to another CPU: {why}") or made.placements["q"].reason == why


def test_without_spread_nothing_is_different():
    for options in ({}, {"hook": TC, "spread": True}):
        made = planned(LINE.format("", "") + HOME, **options)
        assert (made.hops, made.placements["q"].where) == ({}, USER)
        assert "CPU" not in made.placements["q"].reason


def test_what_is_asked_for_in_user_space_is_there():
    for name in "qu":
        assert planned(LINE.format("", "") + HOME, spread=True, user=frozenset(name)).hops == {}
