"""Handlers that a class declares for the fields of its state."""

from types import SimpleNamespace

import pytest

from clickbpf.declare import (
    ArgError,
    Bool,
    Element,
    EtherAddress,
    Integer,
    IPAddress,
    Keyword,
    NameGiver,
    PerThread,
    Right,
    String,
    Vars,
    be32,
    control_handler,
    ether,
    field_handlers,
    read_handler,
    sum_handler,
    u8,
    u16,
    u64,
    value_handlers,
    write_handler,
)
from clickbpf.vocabulary import sources
from clickbpf.vocabulary.element import running
from clickbpf.vocabulary.state import plain_memory


class Sample(Element):
    state_types = {"vars": Vars(ip=be32, mac=ether, number=u16, on=u8), "counters": PerThread(drops=u64, others=u64)}

    def begin(self) -> None:
        self.changes = 0

    def changed(self) -> None:
        self.changes += 1

    ip = field_handlers("vars", IPAddress())
    mac = field_handlers("vars", EtherAddress())
    count = total = field_handlers("vars", Integer(16, high=999), "changed", field="number")
    on = field_handlers("vars", Bool())
    drops = sum_handler("counters")
    more = sum_handler("counters", "others")
    number = sum_handler("vars")
    port = field_handlers("vars", Integer(16), field="number", wrong="no port")
    clear = control_handler(3)
    half = value_handlers(Integer(16), lambda self: self.state.vars.number // 2, lambda self, half: self.double(half), wrong="no half")
    doubled = value_handlers(lambda self: Integer(16), None, lambda self, half: self.double(half), needs=Right.CALLS)

    def double(self, half: int) -> None:
        self.state.vars.number = 2 * half

    @read_handler
    def length(self) -> str:
        return "7"

    size = length

    @write_handler("size")
    def set_size(self, text: str) -> None:
        self.written = text


@pytest.fixture
def sample():
    made = Sample("s", SimpleNamespace(), 1, 1)
    return running(made, plain_memory(Sample.state_types, made, 3))


@pytest.mark.parametrize(
    "name, text, shown, field, raw",
    [
        ("ip", " 192.0.2.7\n", "192.0.2.7", "ip", 0xC0000207),
        ("mac", "02:00:00:00:00:0a", "02-00-00-00-00-0A", "mac", b"\x02\0\0\0\0\x0a"),
        ("count", "0x10", "16", "number", 16),
        ("total", "17", "17", "number", 17),
        ("on", "yes", "true", "on", 1),
        ("half", " 21\n", "21", "number", 42),
    ],
)
def test_what_is_written_stands_in_the_field_and_is_read(sample, name, text, shown, field, raw):
    handler = sample.handlers()[name]
    handler.write(sample, text)
    stands = getattr(sample.state.vars, field)
    assert (bytes(stands) if isinstance(raw, bytes) else stands) == raw
    assert handler.read(sample) == shown


def test_a_value_is_refused_by_its_type_and_may_need_a_right(sample):
    with pytest.raises(ArgError, match="no half"):
        sample.handlers()["half"].write(sample, "x")
    doubled = sample.handlers()["doubled"]
    doubled.write(sample, "3")
    assert (doubled.read, doubled.write_needs, sample.state.vars.number) == (None, Right.CALLS, 6)


def test_entry_points_are_those_of_the_c_file_and_its_templates(tmp_path, monkeypatch):
    (tmp_path / "a.c").write_text('#include "b.inc.h"\n#include "c.h"\n\nTIMER()\n{\n}\n')
    (tmp_path / "b.inc.h").write_text("TASK()\n{\n}\n")
    (tmp_path / "c.h").write_text("PULL()\n")

    class Timed(Element):
        wakes = ("init",)

    monkeypatch.setattr(sources, "c_source", {Timed: tmp_path / "a.c"}.get)
    assert Timed.entries == {"task", "timer", "init"}


def test_what_a_role_declares_needs_the_role():
    with pytest.raises(TypeError, match=r"Mine\.define_names belongs to a role; write class Mine\(NameGiver, \.\.\.\)"):
        type("Mine", (Element,), {"define_names": lambda self, names: None})
    with pytest.raises(TypeError, match=r"Mine\.reads no longer exists: name the elements in works_on\(\), with traits=READS_OTHERS"):
        type("Mine", (Element,), {"reads": lambda self: ()})
    with pytest.raises(TypeError, match=r"Mine\.summary no longer exists: the first line of the docstring is the class's summary"):
        type("Mine", (Element,), {"summary": classmethod(lambda cls: "mine")})
    assert type("Mine", (Element,), {"running": read_handler(lambda self: "true", text="whether it runs.")}), "handlers have any name"
    assert type("Mine", (NameGiver,), {"define_names": lambda self, names: None})


def test_names_of_addresses_are_known(sample):
    known = SimpleNamespace(ip=lambda element, text: IPAddress().parse("10.0.0.1") if (element, text) == ("s", "gateway") else None)
    sample.context = SimpleNamespace(element="s", names=known)
    sample.handlers()["ip"].write(sample, "gateway")
    assert sample.handlers()["ip"].read(sample) == "10.0.0.1"


def test_the_method_is_called_after_a_change_only(sample):
    handler = sample.handlers()["count"]
    handler.write(sample, "5")
    with pytest.raises(ArgError):
        handler.write(sample, "1000")
    assert (sample.changes, handler.read(sample)) == (1, "5")


def test_counts_of_all_threads_are_added(sample):
    for slot, counters in enumerate(sample.state.counters, 1):
        counters.drops, counters.others = slot, slot * 10**15
    handlers = sample.handlers()
    assert (handlers["drops"].read(sample), handlers["more"].read(sample)) == ("6", str(6 * 10**15))
    assert handlers["drops"].write is None


def test_a_number_that_all_threads_share_is_read_alike(sample):
    sample.state.vars.number = 5
    assert sample.handlers()["number"].read(sample) == "5"


def test_a_field_with_an_arguments_name_begins_with_the_argument():
    cfg = SimpleNamespace(ip=IPAddress().parse("192.0.2.7"), on=True, mac=None, number=3, drops=4)
    made = Sample("s", cfg, 1, 1)
    element = running(made, plain_memory(Sample.state_types, made, 3))
    element.initialise()
    found = element.state.vars
    assert (found.ip, found.on, bytes(found.mac), found.number) == (0xC0000207, 1, bytes(6), 3)
    assert element.state.counters.sum("drops") == 0


def test_the_class_says_what_is_wrong_with_a_text(sample):
    with pytest.raises(ArgError) as caught:
        sample.handlers()["port"].write(sample, "x")
    assert caught.value.message == "no port"
    assert caught.value.hint == "'x' is not an integer from 0 to 65535"


def test_an_operation_is_run_where_the_element_is(sample):
    handler = sample.handlers()["clear"]
    handler.write(sample, "whatever")
    ran = []
    sample.runtime = SimpleNamespace(control=ran.append)
    handler.write(sample, "whatever")
    assert (ran, handler.read) == ([3], None)


def test_a_method_is_a_handler_by_each_of_its_names(sample):
    handlers = sample.handlers()
    assert [handlers[name].read(sample) for name in ("length", "size")] == ["7", "7"]
    handlers["size"].write(sample, "8")
    assert sample.written == "8"
    assert handlers["length"].write is None
    assert "set_size" not in handlers


def test_a_setting_has_its_state_and_its_handler_by_its_argument_alone():
    class Set(Element):
        args = (Keyword("ACTIVE", Bool(), True, "", setting=True), Keyword("SIZE", Integer(16), 5, setting="sizes", then="changed"))
        state_types = {"counters": PerThread(drops=u64)}
        changed = Sample.changed
        begin = Sample.begin

    assert {name: [field.name for field in kind.fields] for name, kind in Set.state_types.items()} == {
        "counters": ["drops"], "vars": ["active"], "sizes": ["size"], "settings": ["changed"],
    }  # fmt: skip
    made = Set("s", SimpleNamespace(active=True, size=7), 1, 1)
    alive = running(made, plain_memory(Set.state_types, made, 1))
    alive.initialise()
    assert [alive.handlers()[name].read(alive) for name in ("active", "size")] == ["true", "7"]
    alive.handlers()["size"].write(alive, "9")
    assert (alive.state.sizes.size, alive.changes, alive.state.settings.changed) == (9, 1, 1)


def test_a_setting_whose_type_no_field_has_needs_a_state():
    with pytest.raises(TypeError, match="Set: declare the state 'vars': no field is made for NAME"):
        type("Set", (Element,), {"args": (Keyword("NAME", String(), setting=True),)})


def test_a_handler_that_is_no_setting_stays():
    class Set(Element):
        args = (Keyword("ACTIVE", Bool(), True, setting="vars"),)

        @read_handler
        def active(self) -> str:
            return "perhaps"

    assert Set.handlers()["active"].write is None
