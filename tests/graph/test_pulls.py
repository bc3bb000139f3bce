"""What can't be pulled is reported: cycles of pull connections, and elements with a choice of inputs that don't say which."""

from tests.graph.classes import checked, mistakes

from clickbpf.declare import MANAGES_DRIVER, NONE, Element, Keyword, Raw


class Bypass(Element):
    """Packets of output 1 come by input 0, those of output 0 by either."""

    ports, flow, entries = "2/2", "xy/[xy]x", ("pull",)


class Split(Element):
    """One input, two outputs, and no word on what a pull does."""

    ports = "1/2"


class Tap(Element):
    ports, entries = "1/2", ("pull",)


class Decides(Element):
    ports = "0/0"
    args = (Keyword("DRIVER", Raw()),)

    def configure(self):
        self.traits = NONE if self.cfg.driver is None else MANAGES_DRIVER


def reports(text: str, *classes: type[Element]) -> list[tuple[int, str]]:
    """(line, message) of each."""
    return [(d.place.line, d.message) for d in mistakes(text, *classes)]


CYCLE = "'{}' and '{}' lie on a cycle of pull connections"


def test_a_cycle_is_reported_at_the_connection_that_closes_it():
    assert reports("Source -> Queue -> r :: Sched -> t :: Tap -> PullSink;\nt[1] -> [1] r;", Tap) == [(2, CYCLE.format("t", "r"))]


def test_all_cycles_are_reported():
    text = "Source -> Queue -> r{0} :: Sched -> t{0} :: Tap -> PullSink; t{0}[1] -> [1] r{0};"
    found = reports(f"{text.format('a')}\n{text.format('b')}", Tap)
    assert found == [(1, CYCLE.format("ta", "ra")), (2, CYCLE.format("tb", "rb"))]


def test_a_cycle_that_flow_codes_rule_out_is_none():
    """What is pulled from output 1 never comes by input 1."""
    checked("Source -> Queue -> x :: Bypass -> PullSink; x[1] -> Null -> [1] x;", Bypass)


def test_a_cycle_through_bypass_the_other_way_round_is_one():
    assert reports("Source -> Queue -> [1] x :: Bypass -> PullSink; x[1] -> Null -> x;", Bypass) == [(1, CYCLE.format("Null@5", "x"))]


def test_a_queue_ends_a_pull_cycle():
    checked("Source -> Queue -> r :: Sched -> t :: Tap -> PullSink; t[1] -> Unqueue -> Queue -> [1] r;", Tap)


PULLED = "'s' ({}) can't be pulled from here"


def test_two_pulled_outputs_need_a_class_that_says_what_a_pull_does():
    assert reports("Source -> Queue\n-> s :: Split; s[0] -> PullSink; s[1] -> PullSink;", Split) == [(2, PULLED.format("Split"))]


def test_two_pulled_inputs_need_a_class_that_says_what_a_pull_does():
    text = "Source -> Queue -> s :: OneMore -> PullSink; Source -> Queue -> [1] s; s[1] -> PullSink; s[2] -> PullSink;"
    assert reports(text) == [(1, PULLED.format("OneMore"))]


def test_one_input_for_each_output_is_enough():
    checked("Source -> Queue -> s :: Suppressor -> PullSink; Source -> Queue -> [1] s; s[1] -> PullSink;")


def test_the_same_elements_may_be_pushed_through():
    checked("Source -> s :: Split -> Discard; s[1] -> Discard;", Split)


def test_what_can_not_be_pulled_is_reported_with_the_other_mistakes():
    text = """Source -> Queue -> s :: Split -> PullSink; s[1] -> PullSink;
        Source -> Counted(many) -> Discard;
        Decides(DRIVER x); Decides; Decides(DRIVER y);"""
    found = reports(text, Split, Decides)
    assert [line for line, _ in found] == [1, 2, 3]
    assert found[2][1] == "'Decides@9' and 'Decides@11' can't both decide when the driver stops"


def test_no_report_follows_from_a_conflict():
    """Whether `s` is pulled at all depends on how the conflict is resolved."""
    found = reports("Source -> s :: Split -> PullSink; s[1] -> PullSink;", Split)
    assert not [message for _, message in found if "pulled" in message]
