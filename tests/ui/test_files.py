"""Configurations in files: what is drawn of them, and what is wrong with them."""

import json
import os
from xml.etree import ElementTree

import pytest
from tests.cli.conftest import execute

CONFIGURATION = """
elementclass Twice { input -> a :: Counter -> b :: Counter -> output }
FromDevice(eth0) -> first :: Twice -> q :: Queue(7) -> ToDevice(eth0);
"""
HOSTILE = 'Idle -> Print("<script>alert(1)</script>") -> p :: Paint(1 /* </script><img src=x onerror=alert(2)> */) -> Discard;'


@pytest.fixture
def file(tmp_path):
    made = tmp_path / "a.click"
    made.write_text(CONFIGURATION)
    return made


def names(graph: dict) -> set[str]:
    return {box["name"] for box in graph["boxes"]}


def test_the_list_and_the_graph(serve, file):
    page = serve(file)
    found = page.get("subjects").json
    assert found["may_write"] is False
    assert [(each["kind"], each["name"]) for each in found["subjects"]] == [("file", str(file))]
    graph = page.get("subjects/0/graph").json
    assert {"first", "q"} < names(graph) and len(graph["boxes"]) == 4
    box = next(each for each in graph["boxes"] if each["name"] == "q")
    assert (box["class"], box["where"]) == ("Queue", ["elided"])
    drawn = next(g for g in ElementTree.fromstring(f"<svg>{graph['drawing']}</svg>").iter("g") if g.get("data-name") == "q")
    assert [part.get("class") for part in drawn.iter() if part.tag in ("rect", "polygon")] == ["in-elided", "frame", "push", "pull"]
    ends = {(graph["boxes"][line["source"]]["name"], graph["boxes"][line["target"]]["name"]) for line in graph["lines"]}
    assert ("first", "q") in ends and len(ends) == 3
    for line in graph["lines"]:
        assert len(line["points"]) % 3 == 1, "Bezier curves"


def test_compounds_unfold(serve, file):
    page = serve(file)
    folded = page.get("subjects/0/graph").json
    assert (folded["compounds"], folded["unfolded"]) == (["first"], [])
    unfolded = page.get("subjects/0/graph", unfolded=["first", "nothing"]).json
    assert {"first/a", "first/b"} < names(unfolded) and "first" not in names(unfolded)
    parts = ElementTree.fromstring(f"<svg>{unfolded['drawing']}</svg>").iter("g")
    assert [part.get("data-name") for part in parts if part.get("class") == "unfolded"] == unfolded["unfolded"] == ["first"]
    assert {line["connection"] for line in unfolded["lines"]} > {line["connection"] for line in folded["lines"]}


def test_an_element(serve, file):
    page = serve(file)
    found = page.get("subjects/0/element", name="q").json
    assert (found["class"], found["config"], found["where"]) == ("Queue", "7", "elided")
    assert found["place"] == f"{file}:3:39"
    assert [end[0] for end in found["from"]] == ["first/b"]
    assert found["manual"].startswith("Queue – ")
    assert page.get("subjects/0/element", name="nothing").status == 404
    assert page.get("subjects/0/live").status == page.get("subjects/0/handlers").status == 404


def test_a_changed_file_is_read_again_and_its_mistakes_have_places(serve, file):
    page = serve(file)
    before = page.get("subjects/0/graph").json["version"]
    file.write_text("Idle -> x :: Countre -> Discard;\nIdle -> Queue(abc) -> Discard;")
    errors = page.get("subjects/0/graph").errors
    assert [(each["line"], each["column"]) for each in errors][:2] == [(1, 14), (2, 15)]
    assert errors[0]["hint"] == "did you mean 'Counter'?"
    file.write_text("Idle -> x :: Counter -> Discard;")
    after = page.get("subjects/0/graph").json
    assert after["version"] != before and "x" in names(after)
    file.unlink()
    assert "cannot read" in page.get("subjects/0/graph").errors[0]["message"]


def text_of(page) -> dict:
    return page.get("subjects/0/text").json


def test_a_text_is_saved_where_it_came_from(serve, file, tmp_path):
    """The file keeps its mode and owner, nothing else is left in its folder, and it is drawn anew."""
    file.chmod(0o640)
    os.chown(file, 65534, 65534)
    page = serve("--write", file)
    saved = page.post("subjects/0/save", text="Idle -> x :: Paint(\udcff) -> Discard;", version=text_of(page)["version"]).json
    assert file.read_bytes() == b"Idle -> x :: Paint(\xff) -> Discard;"
    status = file.stat()
    assert (status.st_mode & 0o7777, status.st_uid, status.st_gid) == (0o640, 65534, 65534)
    assert [each.name for each in tmp_path.iterdir()] == [file.name]
    assert saved["version"] == text_of(page)["version"]
    assert page.post("subjects/0/save", text="Idle -> other :: Null -> Discard;", version=saved["version"]).status == 200
    assert "other" in names(page.get("subjects/0/graph").json)


@pytest.mark.parametrize(
    "before, text, after",
    [
        (b"Idle\r\n->\r\nDiscard;\r\n", "Idle\n-> Null ->\nDiscard;\n// more\n", b"Idle\r\n-> Null ->\r\nDiscard;\r\n// more\r\n"),
        (b"Idle\r\n-> Discard;", "Idle\n-> Discard;\n", b"Idle\r\n-> Discard;\r\n"),
        (b"Idle\n->\r\nDiscard;\r\n", "Idle\n->\nNull -> Discard;\n", b"Idle\n->\r\nNull -> Discard;\n"),
        (b"Idle -> Discard;", "Idle\n-> Discard;\n", b"Idle\n-> Discard;\n"),
        (b"Idle\r\n\r\n", "", b""),
    ],
    ids=["windows", "another-line", "mixed", "one-line", "empty"],
)
def test_lines_keep_their_ends(serve, tmp_path, before, text, after):
    file = tmp_path / "a.click"
    file.write_bytes(before)
    page = serve("--write", file)
    assert page.post("subjects/0/save", text=text, version=text_of(page)["version"]).status == 200
    assert file.read_bytes() == after


def test_a_file_that_was_changed_or_replaced_is_not_overwritten(serve, file, tmp_path):
    page = serve("--write", file)
    version = text_of(page)["version"]
    file.write_text("Idle -> Discard; // newer")
    assert "changed meanwhile" in page.post("subjects/0/save", text="older", version=version).errors[0]["message"]
    assert "changed meanwhile" in page.post("subjects/0/save", text="x").errors[0]["message"]
    assert file.read_text().endswith("newer")
    other = tmp_path / "other"
    other.write_text("of somebody else")
    file.unlink()
    file.symlink_to(other)
    assert "regular file" in page.post("subjects/0/save", text="x", version=text_of(page)["version"]).errors[0]["message"]
    file.unlink()
    assert "cannot write" in page.post("subjects/0/save", text="x", version=version).errors[0]["message"]
    assert other.read_text() == "of somebody else" and [each.name for each in tmp_path.iterdir()] == ["other"]


def test_a_page_that_only_looks_saves_nothing(serve, file):
    page = serve(file)
    assert page.post("subjects/0/save", text="x", version=text_of(page)["version"]).status == 403
    assert file.read_text() == CONFIGURATION


def test_texts_of_hostile_files_are_values_of_json_and_nothing_else(serve, tmp_path):
    file = tmp_path / "<img src=x onerror=alert(3)>.click"
    file.write_text(HOSTILE)
    page = serve(file)
    for path in ("subjects", "subjects/0/graph", "subjects/0/text"):
        answer = page.get(path)
        assert answer.headers["Content-Type"].startswith("application/json") and json.loads(answer.body)
    assert page.get("subjects/0/text").json["text"] == HOSTILE


def test_values_for_the_file(serve, tmp_path):
    file = tmp_path / "a.click"
    file.write_text("define($SIZE 5); Idle -> q :: Queue($SIZE) -> Discard;")
    assert serve(file).get("subjects/0/element", name="q").json["config"] == "5"
    assert serve(file, "SIZE=9").get("subjects/0/element", name="q").json["config"] == "9"


def test_a_word_that_is_neither_router_nor_file(tmp_path):
    done = execute(None, "ui", str(tmp_path / "missing.click"))
    assert done.status == 1 and "is neither a router that is loaded nor a file" in done.err
