"""Another configuration in a running router's place, by the page: shown first, and done as it was shown."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.cli.conftest import execute
from tests.waiting import eventually, waits_for_the_lock

from clickbpf import private
from clickbpf.load.files.places import RunFolder, locked
from clickbpf.load.life import confirm

from .conftest import OWN, ROUTER, number_of

pytestmark = pytest.mark.needs("root", "ip", "clang-19", "dot")

CHANGED = ROUTER.replace("arp :: Counter", "arp :: Counter -> fresh :: Counter").replace("Queue(2)", "Queue(3)")


@pytest.fixture
def page(serve, loaded):
    return serve("--write", OWN, loaded)


def prepare(page, text: str) -> dict:
    number = number_of(page, OWN)
    return page.post(f"subjects/{number}/change", text=text, **{"from": number}).json


def test_what_was_shown_is_done(page, router):
    """The page is in another network namespace than the router."""
    number = number_of(page, OWN)
    assert page.get(f"subjects/{number}/text").json["text"] == ROUTER == execute(None, "read", "-r", OWN, "config").out
    execute(None, "write", "-r", OWN, "held.active", "false")
    shown = prepare(page, CHANGED)
    assert "eth0: its program is replaced" in shown["lines"]
    assert "fresh :: Counter is added" in shown["lines"]
    assert any(line.startswith("q :: Queue(3) is reconfigured; before: q :: Queue(2)") for line in shown["lines"])
    assert "what follows ip has changed" in page.post("difference", ticket=shown["ticket"]).json["text"]
    assert execute(None, "read", "-r", OWN, "fresh.count").status == 1, "nothing has happened yet"
    assert page.post("change", ticket=shown["ticket"]).status == 200
    assert execute(None, "read", "-r", OWN, "fresh.count").out.strip() == "0"
    assert execute(None, "read", "-r", OWN, "q.capacity").out.strip() == "3"
    assert page.get(f"subjects/{number}/text").json["text"] == CHANGED == execute(None, "read", "-r", OWN, "config").out
    assert "fresh" in page.get(f"subjects/{number_of(page, OWN)}/graph").json["elements"]
    assert "isn't prepared any more" in page.post("change", ticket=shown["ticket"]).errors[0]["message"], "once"
    where = {box["name"]: box["where"] for box in page.get(f"subjects/{number_of(page, OWN)}/graph").json["boxes"]}
    assert where["ip"] == ["user"], "as it was asked for when the router was loaded"


@pytest.mark.whole
def test_a_file_in_a_routers_place(page, loaded):
    router, file = number_of(page, OWN), number_of(page, str(loaded))
    shown = page.post(f"subjects/{router}/change", text=CHANGED, **{"from": file}).json
    assert page.post("change", ticket=shown["ticket"]).status == 200
    assert page.get(f"subjects/{router}/element", name="fresh").json["place"].startswith(str(loaded))


def test_mistakes_and_what_the_loader_refuses_change_nothing(page):
    number = number_of(page, OWN)
    before = page.get(f"subjects/{number}/graph").json["version"]
    assert page.post(f"subjects/{number}/change", text="Idle -> Countre -> Discard", **{"from": number}).errors[0]["line"] == 1
    missing = page.post(f"subjects/{number}/change", text="FromDevice(eth9) -> Discard;", **{"from": number}).errors
    assert "no network device eth9" in missing[0]["message"]
    assert page.post("change", ticket="").errors and page.post("change", ticket="x" * 22).errors
    assert page.get(f"subjects/{number}/graph").json["version"] == before


@pytest.mark.whole
def test_a_change_is_for_the_router_that_it_was_shown_for(page, router, loaded):
    shown = prepare(page, CHANGED)
    loaded.write_text("FromDevice(eth0) -> other :: Counter -> Discard;")
    assert execute(router, "load", "--replace", str(loaded)).status == 0
    assert "another router has replaced" in page.post("change", ticket=shown["ticket"]).errors[0]["message"]
    assert execute(None, "read", "-r", OWN, "other.count").status == 0


@pytest.mark.whole
def test_a_change_is_refused_if_the_router_changes_while_the_loader_is_busy(page, router, loaded):
    """The page waits for the loader's lock, and another router takes the place before it has it."""
    shown = prepare(page, CHANGED)
    loaded.write_text("FromDevice(eth0) -> other :: Counter -> Discard;")
    with ThreadPoolExecutor() as threads:
        with locked():
            swapping = threads.submit(page.post, "change", ticket=shown["ticket"])
            assert eventually(lambda: waits_for_the_lock(page.process.pid))
            os.utime(RunFolder.of(OWN).object)  # what a replacement leaves: another version
        assert "another router has replaced" in swapping.result().errors[0]["message"]
    assert execute(None, "read", "-r", OWN, "fresh.count").status == 1


@pytest.mark.whole
def test_a_swap_on_trial_goes_back_unless_it_is_kept(page, router):
    number = number_of(page, OWN)
    measured = page.measurements(number)
    assert next(measured)["trial"] is None
    first = prepare(page, CHANGED)
    for wrong in (0, -1, 1.5, "9", True, 3601, []):
        assert page.post("change", ticket=first["ticket"], seconds=wrong).status == 400
    assert page.post("change", ticket=first["ticket"], seconds=600).status == 200
    assert execute(None, "read", "-r", OWN, "fresh.count").status == 0
    trial = eventually(lambda: next(measured).get("trial"))
    assert [*map(str, (OWN, trial, 600))] == words_of_the_process_that_waits_for(trial)
    router.call(confirm.wait, OWN, trial, 0)  # as that process does when the time is over
    assert execute(None, "read", "-r", OWN, "fresh.count").status == 1, "it has gone back"
    assert "is not waiting" in page.post(f"subjects/{number}/confirm", trial=trial).errors[0]["message"]
    assert page.post("change", ticket=prepare(page, CHANGED)["ticket"], seconds=600).status == 200
    second = eventually(lambda: (seen := next(measured).get("trial")) != trial and seen)  # what was measured before may come first
    assert page.post(f"subjects/{number}/confirm", trial=second).status == 200
    assert not RunFolder.of(OWN).unconfirmed.exists()
    assert execute(None, "read", "-r", OWN, "fresh.count").status == 0
    measured.close()


def words_of_the_process_that_waits_for(trial: str) -> list[str]:
    return subprocess.run(["pgrep", "-af", trial], capture_output=True, text=True, check=True).stdout.split()[-3:]


@pytest.mark.whole
def test_what_is_kept_is_what_was_shown(page, router, loaded):
    """Another trial has begun since the page was measured."""
    number = number_of(page, OWN)
    measured = page.measurements(number)
    assert page.post("change", ticket=prepare(page, CHANGED)["ticket"], seconds=600).status == 200
    trial = eventually(lambda: next(measured).get("trial"))
    loaded.write_text("FromDevice(eth0) -> other :: Counter -> Discard;")
    assert execute(router, "load", "--replace", "--confirm", "600", str(loaded)).status == 0
    for unseen in ({"trial": trial}, {}):
        assert "another router has replaced" in page.post(f"subjects/{number}/confirm", **unseen).errors[0]["message"]
    assert RunFolder.of(OWN).unconfirmed.exists()
    now = eventually(lambda: (seen := next(measured).get("trial")) != trial and seen)
    assert page.post(f"subjects/{number}/confirm", trial=now).status == 200
    measured.close()


@pytest.mark.whole
def test_a_router_that_is_only_partly_loaded_is_not_swapped(page):
    private.write(RunFolder.of(OWN).record, b"{}")
    number = number_of(page, OWN)
    assert "only partly loaded" in page.post(f"subjects/{number}/change", text=CHANGED, **{"from": number}).errors[0]["message"]


def test_a_page_that_only_looks_swaps_nothing(serve, loaded):
    page = serve(OWN)
    number = number_of(page, OWN)
    assert page.post(f"subjects/{number}/change", text=CHANGED, **{"from": number}).status == 403
    answers = page.post("change", ticket="x"), page.post("difference", ticket="x"), page.post(f"subjects/{number}/confirm")
    assert {answer.status for answer in answers} == {403}


@pytest.mark.whole
def test_keys_stay_in_the_text_that_may_be_swapped(page):
    number = number_of(page, OWN)
    text = page.get(f"subjects/{number}/text").json["text"]
    shown = page.post(f"subjects/{number}/change", text=text, **{"from": number}).json
    assert shown["lines"] and not [line for line in shown["lines"] if "tunnels" in line and not line.startswith("state is kept")]
