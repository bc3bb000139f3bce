"""The document in an object."""

import json

import pytest
from tests.load.conftest import CABLE, build

from clickbpf.compile import Compilation, check_text
from clickbpf.errors import ClickError, Place
from clickbpf.graph.configure import with_arguments
from clickbpf.objects.made import MadeDevice
from clickbpf.objects.manifest import (
    LEAST_SLOTS,
    DelayEntry,
    ElementEntry,
    HandlerEntry,
    Manifest,
    MapEntry,
    ProgramEntry,
    StateEntry,
    to_plain,
)
from clickbpf.vocabulary.library import Library

FULL = Manifest(
    hash=0xFFFFFFFF,
    configuration='a :: Print("ä\\"\n");',
    version="1.2",
    devices=("eth0", "eth1"),
    programs=(ProgramEntry("p", "xdp", "eth0", None, "a"), ProgramEntry("q", "xdp", None, 3, "b")),
    maps=(MapEntry("m", "state", 4, True, 64),),
    states=(StateEntry("a", "counters", "m", 0, 64),),
    elements=(ElementEntry(0, "a", "Print", '"x"', "/dir:x/r.click:3:14", 1, 1, "xdp", "fast", (HandlerEntry("count", True, False),)),),
    tohost_devices=("eth1",),
    made=(MadeDevice("fake0", "a", "10.1.1.1/24", None, 1400, "10.1.1.2", False),),
    copy_sets=((0, 1),),
    delays=(DelayEntry("a", "eth1", 3, 4),),
    written="a :: Print(\"$X\");  // what was written\n",
    given={"X": "\udcff"},
)


def test_comes_back_from_json():
    assert Manifest.from_json(FULL.to_json()) == FULL


def test_classes_are_called_so():
    assert json.loads(FULL.to_json())["elements"][0]["class"] == "Print"
    assert "class_name" not in FULL.to_json()


def test_members_of_later_versions_are_passed_over():
    plain = to_plain(FULL)
    plain["new"] = plain["maps"][0]["newer"] = 1
    assert Manifest.from_json(json.dumps(plain)) == FULL


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"hash": 1, "devices": [], "programs": 3, "maps": [], "elements": []}'])
def test_no_manifest(text):
    with pytest.raises(ClickError, match="can't be read"):
        Manifest.from_json(text)


def test_sizes_for_so_many_slots():
    assert MapEntry("m", "drops", 7, per_slot=True).max_entries(3) == 21
    assert MapEntry("m", "tx", 7).max_entries(3) == 7


def test_the_global_array_has_room_for_as_many_slots_as_programs_dont_ask_for():
    entry = MapEntry(".data.counters", "state", 1, per_slot=True)
    assert entry.max_entries(3) == LEAST_SLOTS and entry.max_entries(LEAST_SLOTS + 1) == LEAST_SLOTS + 1


def test_place_of_an_element():
    assert FULL.elements[0].position == Place("/dir:x/r.click", 3, 14)
    assert ElementEntry(0, "a", "B").position is None


@pytest.mark.needs("clang-19")
def test_is_in_the_object():
    assert Manifest.from_object(build(CABLE, FULL)) == FULL


def test_files_that_are_none():
    with pytest.raises(ClickError, match="x is not an ELF object"):
        Manifest.from_object(b"\x7fELF", "x")
    with pytest.raises(ClickError, match="is not an ELF object"):
        Manifest.from_object(b"", "x")


WRITTEN = """define($N 5);  // a comment
elementclass Two { input -> Paint($N) -> Null -> output }
FromDevice(eth0) -> t :: Two -> Discard;
"""


def test_what_was_written():
    """It comes with the object, with the variables that the router was made with; until it isn't what runs any longer."""
    made = Compilation.reopened(Compilation(check_text(WRITTEN, Library.standard(), {"N": "7"})).manifest)
    assert (made.written, made.manifest.given) == (WRITTEN, {"N": "7"}) and "t/Paint@1 :: Paint(7)" in made.configuration
    assert Compilation(check_text(made.written, Library.standard(), made.manifest.given)).configuration == made.configuration
    name = "t/Paint@1"
    changed = made.with_arguments(with_arguments(made.checked.instances[name], "8")[0], "8").manifest
    assert (changed.written, changed.given) == ("", {}) and "Paint(8)" in changed.configuration
