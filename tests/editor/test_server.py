"""`clickbpf lsp`, over its protocol."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.editor.client import Editor

ROUTER = """\
// A router that has all kinds of names.
define($DEV eth0, $SIZE 100);
elementclass Counted { $n | input -> c :: Counter -> Paint($n) -> output }

in :: FromDevice($DEV, FORCE_IP true) -> first :: Counted(1) -> ttl :: DecIPTTL;
ttl[0] -> q :: Queue($SIZE) -> out :: ToDevice($DEV);
ttl[1] -> errors :: Discard;
Script(write q.reset, read ttl.drops);
"""
LINES = ROUTER.splitlines()


@pytest.fixture(scope="module")
def editor(tmp_path_factory):
    with_server = Editor(tmp_path_factory.mktemp("editor"))
    yield with_server
    assert with_server.close() == 0


@pytest.fixture(scope="module")
def router(editor):
    """The editor with a router open that has no mistakes."""
    assert editor.open("router.click", ROUTER) == []
    return editor


def place(text, word, which=0):
    """The line and column of a word's occurrence."""
    found, at = -1, -1
    for _ in range(which + 1):
        found = at = text.index(word, at + 1)
    return text.count("\n", 0, found), found - (text.rfind("\n", 0, found) + 1)


def ranges(found):
    return {(each["range"]["start"]["line"], each["range"]["start"]["character"], each["range"]["end"]["character"]) for each in found}


def labels(editor, name, line, character):
    return {item["label"]: item for item in editor.at("completion", name, line, character)}


# -- mistakes -----------------------------------------------------------------------------------------------------------


def test_all_mistakes_come_at_once_where_they_are(editor):
    found = editor.open("wrong.click", "FromDevice(eth0) -> DecIPTL -> Queue(abc) -> ToDevice(eth0);\nIdle -> nothing;\n")
    assert [(each["range"]["start"], each["severity"]) for each in found] == [
        ({"line": 0, "character": 20}, 1),
        ({"line": 0, "character": 37}, 1),
        ({"line": 1, "character": 8}, 1),
    ]
    assert "'DecIPTL'" in found[0]["message"] and "did you mean 'DecIPTTL'?" in found[0]["message"]
    assert found[0]["range"]["end"]["character"] == 27


def test_a_mistake_with_one_cure_has_it_for_an_action(editor):
    editor.open("cured.click", "FromDevice(eth0) -> DecIPTL -> Queue(abc)\n    -> ToDevice(eth0);\n")
    document = {"uri": (editor.folder / "cured.click").as_uri()}
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    (action,) = editor.ask("textDocument/codeAction", textDocument=document, range=everything, context={"diagnostics": []})
    (edit,) = action["edit"]["changes"][document["uri"]]
    assert edit == {"range": {"start": {"line": 0, "character": 20}, "end": {"line": 0, "character": 27}}, "newText": "DecIPTTL"}
    assert action["kind"] == "quickfix" and action["title"] == "Write 'DecIPTTL' instead of 'DecIPTL'"
    elsewhere = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 3}}
    assert editor.ask("textDocument/codeAction", textDocument=document, range=elsewhere, context={"diagnostics": []}) == []


def test_mistakes_come_and_go_as_one_types(editor):
    assert editor.open("typed.click", "Idle -> Discard;\n") == []
    first = {"range": {"start": {"line": 0, "character": 8}, "end": {"line": 0, "character": 15}}, "text": "Dis"}
    editor.type("typed.click", first)
    (mistake,) = editor.diagnostics("typed.click")
    assert mistake["range"]["start"] == {"line": 0, "character": 8}
    editor.type("typed.click", {"range": {"start": {"line": 0, "character": 11}, "end": {"line": 0, "character": 11}}, "text": "card"})
    assert editor.diagnostics("typed.click") == []


def test_columns_count_as_the_editor_counts(editor):
    """A character beyond the basic plane is two units of UTF-16."""
    (mistake,) = editor.open("wide.click", 'Idle -> Print("\U0001f98a") -> Discrad;\n')
    assert mistake["range"] == {"start": {"line": 0, "character": 23}, "end": {"line": 0, "character": 30}}


def test_a_library_beside_the_file_is_found(editor):
    (editor.folder / "lib.click").write_text("elementclass Twice { input -> Null -> Null -> output }\n")
    assert editor.open("user.click", "require(library lib.click);\nIdle -> Twice -> Discard;\n") == []
    (editor.folder / "bad.click").write_text("\n\nelementclass Bad { input -> Nul -> output }\n")
    found = editor.open("user2.click", "require(library bad.click);\nIdle -> Bad -> Discard;\n")
    assert any("bad.click:3:29" in each["message"] for each in found)


# -- completion ---------------------------------------------------------------------------------------------------------


def test_classes_elements_and_keywords_where_elements_may_stand(router):
    line, column = place(ROUTER, "errors")
    found = labels(router, "router.click", line, column)
    assert {"DecIPTTL", "Counted", "ttl", "q", "elementclass", "define"} <= set(found)
    assert "c" not in found, "what is in a compound has no name outside"
    assert found["DecIPTTL"]["detail"].startswith("decrements")


def test_arguments_between_parentheses(router):
    line, column = place(ROUTER, "$SIZE)")
    found = labels(router, "router.click", line, column)
    assert "CAPACITY" in found and "ttl" in found and "DecIPTTL" not in found


def test_variables_after_a_dollar(router):
    line, column = place(ROUTER, "$SIZE)")
    assert set(labels(router, "router.click", line, column + 1)) == {"DEV", "SIZE"}
    line, column = place(ROUTER, "$n)")
    assert set(labels(router, "router.click", line, column + 1)) == {"n", "DEV", "SIZE"}


def test_handlers_after_an_elements_name(router):
    line, column = place(ROUTER, "reset")
    found = set(labels(router, "router.click", line, column))
    assert "reset" in found and "capacity" in found and "ttl" not in found


def test_completion_works_in_a_statement_that_is_not_finished(editor):
    editor.open("half.click", "i :: Idle -> Queue(")
    assert "CAPACITY" in labels(editor, "half.click", 0, 19)
    editor.open("half2.click", "i :: Idle -> ")
    assert {"i", "Queue"} <= set(labels(editor, "half2.click", 0, 13))


def test_the_arguments_of_a_class_while_they_are_written(editor):
    """The one that is being written by its place, by its name, and beyond all; values that it can have."""
    for number, (text, active) in enumerate(
        (
            ("FromDevice(", "DEVNAME"), ("FromDevice(eth0, ", "PROMISC"), ("q :: Queue(5, DROP_WHAT, ", None),
            ("Idle -> IPFilter(allow (tcp, x), deny ", "RULE, ..."), ("FromDevice(eth0, SNIFFER ", "SNIFFER ..."),
        )
    ):  # fmt: skip
        editor.open(f"asked{number}.click", text)
        found = editor.at("signatureHelp", f"asked{number}.click", 0, len(text))
        (shown,), which = found["signatures"], found["activeParameter"]
        labels_ = [shown["label"][begin:end] for begin, end in (each["label"] for each in shown["parameters"])]
        assert (labels_[which] if which < len(labels_) else None) == active
    assert {"true", "false", "PROMISC"} <= set(labels(editor, "asked4.click", 0, 25))
    assert "lo" in labels(editor, "asked0.click", 0, 11) and "lo" not in labels(editor, "asked1.click", 0, 17)


# -- what a name means --------------------------------------------------------------------------------------------------


def hover(editor, line, column, name="router.click"):
    found = editor.at("hover", name, line, column)
    return found and found["contents"]["value"]


def test_hovering_shows_the_manual_page_and_where_it_runs(router):
    text = hover(router, *place(ROUTER, "ttl[0]"))
    assert text.startswith("ttl :: DecIPTTL\n") and "ttl runs in xdp: " in text and "DecIPTTL – decrements" in text
    assert "q runs in elided" in hover(router, *place(ROUTER, "q :: Queue"))
    assert "Paint – " in hover(router, *place(ROUTER, "Paint"))
    assert "first/c runs in xdp" in hover(router, *place(ROUTER, "c :: Counter"))
    assert hover(router, 0, 5) is None, "a comment"


def test_definitions(router):
    def target(line, column):
        found = router.at("definition", "router.click", line, column)
        return found and (Path(found["uri"]).name, found["range"]["start"]["line"], found["range"]["start"]["character"])

    assert target(*place(ROUTER, "ttl[1]")) == ("router.click", *place(ROUTER, "ttl ::"))
    assert target(*place(ROUTER, "Counted(1)")) == ("router.click", *place(ROUTER, "Counted {"))
    assert target(*place(ROUTER, "$DEV", 2)) == ("router.click", *place(ROUTER, "$DEV"))
    assert target(*place(ROUTER, "q.reset")) == ("router.click", *place(ROUTER, "q ::"))
    assert target(*place(ROUTER, "DecIPTTL"))[0] == "decipttl.py"
    assert target(0, 5) is None


def test_references_are_those_of_the_same_scope(editor, router):
    found = router.at("references", "router.click", *place(ROUTER, "ttl ::"), context={"includeDeclaration": True})
    assert ranges(found) == {(*place(ROUTER, word), place(ROUTER, word)[1] + 3) for word in ("ttl ::", "ttl[0]", "ttl[1]", "ttl.drops")}
    text = "elementclass A { input -> x :: Null -> output; x[0] -> Discard }\nx :: Idle -> a :: A -> Discard; x -> Discard;\n"
    editor.open("scopes.click", text)
    inner = editor.at("references", "scopes.click", *place(text, "x ::"), context={"includeDeclaration": True})
    assert ranges(inner) == {(0, 26, 27), (0, 47, 48)}
    outer = editor.at("references", "scopes.click", 1, 0, context={"includeDeclaration": True})
    assert ranges(outer) == {(1, 0, 1), (1, 32, 33)}


def test_renaming_changes_all_of_them(router):
    edit = router.at("rename", "router.click", *place(ROUTER, "$SIZE"), newName="$LENGTH")
    (edits,) = edit["changes"].values()
    lines = list(LINES)
    for each in sorted(edits, key=lambda each: (each["range"]["start"]["line"], -each["range"]["start"]["character"])):
        at, begin, end = each["range"]["start"]["line"], each["range"]["start"]["character"], each["range"]["end"]["character"]
        lines[at] = lines[at][:begin] + each["newText"] + lines[at][end:]
    assert "\n".join(lines) + "\n" == ROUTER.replace("$SIZE", "$LENGTH")


def test_the_outline_has_elements_and_classes(router):
    found = router.ask("textDocument/documentSymbol", textDocument={"uri": router.uri("router.click")})
    shown = {each["name"]: (each.get("detail"), [child["name"] for child in each.get("children") or ()]) for each in found}
    assert shown["Counted"] == (None, ["c"])
    assert shown["ttl"] == ("DecIPTTL", []) and shown["in"] == ("FromDevice", [])
    assert set(shown) == {"Counted", "in", "first", "ttl", "q", "out", "errors"}


# -- formatting ---------------------------------------------------------------------------------------------------------


def test_formatting_is_that_of_fmt(editor):
    editor.open("ugly.click", "// Says what it is.\na::Idle->b::Null  ->Discard;   // after it\n\nIdle /* why */->b;\n")
    options = {"tabSize": 4, "insertSpaces": True}
    (edit,) = editor.ask("textDocument/formatting", textDocument={"uri": editor.uri("ugly.click")}, options=options)
    assert edit["newText"] == "// Says what it is.\na :: Idle -> b :: Null -> Discard;   // after it\n\nIdle /* why */ -> b;\n"
    editor.open("broken.click", "a::Idle->->Discard;\n")
    assert editor.ask("textDocument/formatting", textDocument={"uri": editor.uri("broken.click")}, options=options) == []


# -- around it ----------------------------------------------------------------------------------------------------------


@pytest.mark.whole
def test_without_pygls_it_says_what_to_install(tmp_path):
    (tmp_path / "pygls.py").write_text("raise ModuleNotFoundError(\"No module named 'pygls'\", name='pygls')\n")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from clickbpf.cli.main import main; sys.exit(main(['lsp']))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 1 and "pip install 'clickbpf[lsp]'" in done.stderr
