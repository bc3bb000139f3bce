"""Texts that are being written: what the checker says of them, and that nothing else is done with them."""

import http.client

import pytest

CONFIGURATION = 'require(library "part.click");\nFromDevice(eth0) -> c :: Part -> q :: Queue(7) -> ToDevice(eth0);\n'
PART = "elementclass Part { input -> Counter -> output }\n"


@pytest.fixture
def page(serve, tmp_path):
    (tmp_path / "a.click").write_text(CONFIGURATION)
    (tmp_path / "part.click").write_text(PART)
    (tmp_path / "other.click").write_text("elementclass Other { a secret }")
    return serve(tmp_path / "a.click")


def check(page, text: str) -> dict:
    return page.post("subjects/0/check", text=text).json


def test_a_text_without_mistakes_has_a_plan_and_a_graph(page):
    found = check(page, CONFIGURATION.replace("q ::", "n :: Null -> q ::"))
    assert found["diagnostics"] == []
    plan = {name: (kind, where, line) for name, kind, where, _, line in found["plan"]}
    assert plan["n"] == ("Null", "xdp", 2) and plan["c/Counter@1"][:2] == ("Counter", "xdp")
    assert "n" in {box["name"] for box in found["graph"]["boxes"]}
    assert page.get("subjects/0/graph").json["elements"] != found["graph"]["elements"], "the file is as it was"


def test_all_mistakes_with_their_places(page):
    found = check(page, 'Idle -> x :: Countre -> Discard;\n"ü" Idle -> Queue(abc) -> Discard;\nIdle -> Queue(abc) -> Discard;')
    assert found["plan"] is None and found["graph"] is None
    assert {(each["line"], each["severity"]) for each in found["diagnostics"]} >= {(2, "error")}
    found = check(page, "Idle -> x :: Countre -> Discard;\nIdle -> Queue(abc) -> Discard;")
    assert [(each["line"], each["column"]) for each in found["diagnostics"]] == [(1, 14), (2, 15)]


def test_the_libraries_of_the_file_are_there_and_no_others(page, tmp_path):
    assert check(page, CONFIGURATION)["diagnostics"] == []
    for name in ("other.click", f"{tmp_path}/other.click", "/etc/passwd", "../etc/passwd"):
        (found,) = check(page, f'require(library "{name}"); Idle -> Discard;')["diagnostics"]
        assert found["message"] == f"library '{name}' not found"
    sneaky = f'#line 1 "{tmp_path}/x.click"\nrequire(library other.click); Idle -> Other -> Discard;'
    assert not any("secret" in str(each) for each in check(page, sneaky)["diagnostics"])


def proposed(page, text: str) -> list[tuple[str, str]]:
    """What the page proposes where a text has a caret, |; what it would put before that has to begin where the word does."""
    before, _, after = text.partition("|")
    found = page.post("subjects/0/completions", text=before + after, at=len(before)).json
    assert 0 <= found["begin"] <= len(before) and before[found["begin"] :].replace("@", "").isalnum() | (found["begin"] == len(before))
    return [(word, kind) for word, kind, _ in found["proposals"]]


def test_what_may_be_typed(page):
    """As the language server proposes it: classes, elements, arguments, handlers, variables; also in texts with mistakes."""
    assert proposed(page, "Idle -> Cou|")[0] == ("Counter", "class")
    assert ("counted", "element") in proposed(page, 'Idle -> "ü" counted :: Counter -> Discard; Idle -> cou|')
    assert proposed(page, "Idle -> q :: Queue(CAP|") == [("CAPACITY", "argument")]
    assert ("byte_count", "handler") in proposed(page, "c :: Counter; Script(print c.by|")
    assert proposed(page, "define($SIZE 5); Idle -> Queue($S|) -> Discard;") == [("SIZE", "variable")]
    assert ("require", "keyword") in proposed(page, "requ|")
    assert proposed(page, "Idle -> Nosuchclassatall|") == []
    assert len(proposed(page, "|")) == 40


@pytest.mark.parametrize("at", [-1, 5, 1.0, "0", None, True, 10**30])
def test_a_caret_is_within_its_text(page, at):
    assert page.post("subjects/0/completions", text="Idle", at=at).status == 400


def test_a_text_of_any_characters_is_an_answer(page):
    for text in ("", "\0", "\ud800", "\udcff", "\N{SNOWMAN}", "Idle -> Print(\"\N{SNOWMAN}\") -> Discard;", "{" * 3000, "/*", '"'):
        assert page.post("subjects/0/check", text=text).status in (200, 400), ascii(text)


@pytest.mark.parametrize("body", [[], None, {"text": 3}, {"text": None}, {"text": "", "unfolded": "x"}, {"text": "", "unfolded": [3]}])
def test_requests_of_another_form_are_refused(page, body):
    own = f"http://127.0.0.1:{page.port}"
    sent = page.request("POST", "/api/subjects/0/check", body, Cookie=page.cookie, Origin=own, Content_Type="application/json")
    assert sent.status == 400
    form = page.request("POST", "/api/subjects/0/check", {"text": ""}, Cookie=page.cookie, Origin=own, Content_Type="text/plain")
    assert form.status == 415


@pytest.mark.parametrize(
    "body, content",
    [(b"[" * 100_000, "application/json"), (b'{"text": ' * 50_000, "application/json"), (b"{}", "application/json; charset=no")],
)
def test_what_is_no_json_is_refused(page, body, content):
    own = f"http://127.0.0.1:{page.port}"
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=60)
    connection.request("POST", "/api/subjects/0/check", body, {"Cookie": page.cookie, "Origin": own, "Content-Type": content})
    assert connection.getresponse().status == 400
    connection.close()


def test_texts_are_bounded(page):
    assert page.post("subjects/0/check", text="/" * ((1 << 20) + 1)).status == 413
