"""Who gets nothing from the page: those without the token, and pages of others in the browser that has it."""

import http.client
import socket

import pytest

from clickbpf.ui import guard
from clickbpf.ui.guard import is_local_name

CONFIGURATION = "Idle -> Counter -> Discard;"


@pytest.fixture
def page(serve, tmp_path):
    file = tmp_path / "a.click"
    file.write_text(CONFIGURATION)
    return serve(file)


@pytest.mark.parametrize("path", ["/", "/page/main.js", "/api/subjects", "/api/subjects/0/graph", "/nothing"])
def test_without_the_cookie_nothing_is_answered(page, path):
    assert page.request("GET", path).status == 401
    assert page.request("GET", path, Cookie="clickbpf=x").status == 401
    assert page.request("GET", path, Cookie=page.cookie[:-1]).status == 401
    assert page.request("GET", path, Cookie=page.cookie).status == (404 if path == "/nothing" else 200)


def test_the_token_is_exchanged_for_a_cookie_that_scripts_and_other_pages_have_not(page):
    entered = page.enter(page.token)
    assert (entered.status, entered.headers["Location"]) == (303, "/")
    assert {word.strip() for word in entered.headers["Set-Cookie"].split(";")[1:]} == {"HttpOnly", "Path=/", "SameSite=Strict"}
    assert page.token not in entered.headers["Set-Cookie"]
    for wrong in ("", "x", page.token[:-1], page.token + "x", "%ff%00"):
        assert page.enter(wrong).status == 401


def test_who_guesses_too_often_keeps_nobody_out(page):
    assert any(page.enter("x").status == 429 for _ in range(5000))
    assert page.enter(page.token).status == 303


def test_each_server_has_a_token_of_its_own(serve, page, tmp_path):
    other = serve(tmp_path / "a.click")
    assert other.token != page.token and other.enter(page.token).status == 401
    assert other.request("GET", "/", Cookie=page.cookie).status == 401


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "", "2130706433"])
def test_a_name_that_was_made_to_point_here_is_refused(page, host):
    assert page.request("GET", "/", Cookie=page.cookie, Host=host).status in (400, 403)
    assert page.request("GET", f"/?token={page.token}", Host=host).status in (400, 403)


def test_addresses_and_localhost_are_names_of_this_machine():
    names = ["127.0.0.1", "127.0.0.1:80", "localhost:1234", "LOCALHOST", "[::1]:80", "192.168.1.2:80"]
    assert [is_local_name(name) for name in names] == [True] * len(names)
    assert not any(map(is_local_name, ["router", "a:b:c", "[::1", "127.1", "0x7f.0.0.1", "localhost.:80", "local host"]))


@pytest.mark.parametrize(
    "headers, status",
    [
        ({}, 200),
        ({"Sec_Fetch_Site": "same-origin"}, 200),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
    ],
)
def test_requests_of_other_pages_are_refused(page, headers, status):
    assert page.request("GET", "/api/subjects", Cookie=page.cookie, **headers).status == status


def test_what_changes_something_has_to_come_from_the_page_itself(serve, tmp_path):
    file = tmp_path / "a.click"
    file.write_text(CONFIGURATION)
    page = serve("--write", file)
    path, own = "/api/subjects/0/handler", f"http://127.0.0.1:{page.port}"
    for origin in (None, "null", "http://evil.example", own.replace("http", "https"), f"{own}0"):
        assert page.request("POST", path, {}, Cookie=page.cookie, Origin=origin, Content_Type="application/json").status == 403
    assert page.request("POST", path, {}, Cookie=page.cookie, Origin=own, Content_Type="application/json").status == 404
    assert page.request("POST", path, {}, Origin=own, Content_Type="application/json").status == 401


def test_every_answer_bears_the_policy(page):
    for path, cookie in (("/", page.cookie), ("/api/subjects", page.cookie), ("/nothing", page.cookie), ("/", None)):
        headers = page.request("GET", path, Cookie=cookie).headers
        policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
        assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "no-referrer" and "Access-Control-Allow-Origin" not in headers


def test_no_path_is_opened(page, tmp_path):
    (tmp_path / "secret").write_text("secret")
    for path in (
        "/page/../server.py", "/page/..%2fserver.py", "/page/%2e%2e/server.py", "/page//etc/passwd", "/page/", "/page/secret",
        f"/api/subjects/{tmp_path}/secret/text", f"/api/subjects/..%2f{tmp_path.name}%2fsecret/text", "/api/subjects/1/text",
        "/api/subjects/-1/text", "/api/subjects/a.click/text", "/api/subjects/%c2%b2/text", f"/api/subjects/{'9' * 400}/text",
    ):  # fmt: skip
        assert page.request("GET", path, Cookie=page.cookie).status == 404, path


def test_requests_are_bounded_in_size(serve, tmp_path):
    file = tmp_path / "a.click"
    file.write_text(CONFIGURATION)
    assert serve("--write", file).post("subjects/0/check", text="x" * (5 << 20)).status == 413


def test_requests_are_bounded_in_number(monkeypatch):
    now = 1000.0
    monkeypatch.setattr(guard.time, "monotonic", lambda: now)
    allowance = guard.Allowance()
    assert [allowance.take() for _ in range(int(guard.BURST) + 1)] == [True] * int(guard.BURST) + [False]
    now += 3.5 / guard.RATE
    assert [allowance.take() for _ in range(4)] == [True] * 3 + [False]
    now += 1e6
    assert [allowance.take() for _ in range(int(guard.BURST) + 1)].count(True) == guard.BURST, "there are no more for who has waited long"


def test_it_listens_on_the_loopback_only(page):
    assert page.address.startswith("http://127.0.0.1:")
    own = socket.gethostbyname(socket.gethostname())
    if not own.startswith("127."):
        with pytest.raises(OSError):
            http.client.HTTPConnection(own, page.port, timeout=5).request("GET", "/")
