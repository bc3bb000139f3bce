"""Running routers: what is measured of them, their handlers, and what the page isn't given."""

import pytest
from tests.cli.conftest import execute
from tests.waiting import eventually

from .conftest import ARP, IP, KEY, OTHER, OWN, number_of

pytestmark = pytest.mark.needs("root", "ip", "clang-19", "dot")

#: Columns of what is measured of an element.
INDEX, KERNEL, RUNTIME, DROP_RATE, DROPPED, REASONS, HOLDS, SIZE = range(8)


@pytest.fixture
def page(serve, loaded):
    return serve("--write", OWN)


def elements(page, number, measured) -> dict[str, list]:
    names = page.get(f"subjects/{number}/graph").json["elements"]
    return {names[each[INDEX]]: each for each in measured["elements"]}


def test_a_router_is_listed_and_drawn(page):
    number = number_of(page, OWN)
    (found,) = page.get("subjects").json["subjects"]
    assert (found["kind"], found["state"], found["devices"]) == ("router", "running", ["eth0"])
    graph = page.get(f"subjects/{number}/graph").json
    where = {box["name"]: box["where"] for box in graph["boxes"]}
    assert where["in"] == where["arp"] == ["xdp"] and where["ip"] == where["q"] == ["user"]
    assert page.get(f"subjects/{number}/element", name="ip").json["place"].endswith(".click:4:9")


def test_rates_drops_and_queues(page, send):
    number = number_of(page, OWN)
    measured = page.measurements(number)
    counted = eventually(lambda: (lines := next(measured)["lines"]) and all(rate is not None for _, rate in lines))
    assert counted, "the packets of every connection are counted as soon as the build for that is compiled"
    lines: dict[int, float] = {}

    def seen() -> dict:
        send(*[ARP] * 70, *[IP] * 50, *[OTHER] * 30)
        now = next(measured)
        lines.update({connection: rate for connection, rate in now["lines"] if rate})
        return elements(page, number, now)

    def told() -> dict:
        found = seen()
        enough = found.get("arp", [0] * 8)[KERNEL] > 1 and found.get("q", [0] * 8)[DROP_RATE] > 1 and found.get("c", [0] * 8)[DROP_RATE] > 1
        return found if enough else {}

    found = eventually(told)
    assert found, "no measurement had the traffic"
    assert found["arp"][RUNTIME] == 0 and found["ip"][KERNEL] == 0
    assert (found["q"][HOLDS], found["q"][SIZE]) == (2, 2)
    assert set(found["q"][REASONS]) == {"FULL"} and set(found["c"][REASONS]) >= {"FILTERED"}
    drawn = page.get(f"subjects/{number}/graph").json
    ends = {line["connection"]: (drawn["boxes"][line["source"]]["name"], drawn["boxes"][line["target"]]["name"]) for line in drawn["lines"]}
    flowing = {ends[connection] for connection in lines if connection in ends}
    assert {("c", "arp"), ("c", "ip"), ("ip", "q")} <= flowing
    measured.close()


def test_only_news_is_sent(page, send):
    """The first message has all, the others what has changed; of connections also what isn't known."""
    number = number_of(page, OWN)
    messages = page.messages(number)
    assert next(messages)["whole"]
    whole = next(messages)
    names = page.get(f"subjects/{number}/graph").json["elements"]
    assert whole["whole"] and {"in", "arp", "ip", "q"} <= {names[each[INDEX]] for each in whole["elements"]}
    assert eventually(lambda: not any((quiet := next(messages))["whole"] or quiet["elements"] or quiet["lines"] for _ in range(2)))
    send(*[ARP] * 50)

    def changed() -> set[str]:
        message = next(messages)
        return {names[each[INDEX]] for each in message["elements"]} if not message["whole"] else set()

    assert "arp" in eventually(changed) or "arp" in eventually(changed), "the moment of a measurement may fall between two packets"
    late = page.messages(number)
    assert {each[INDEX] for each in next(late)["elements"]} == {each[INDEX] for each in whole["elements"]}
    for each in (messages, late):
        each.close()


def test_one_measurement_serves_all_viewers(page):
    """In the time in which all of them look they see the same measurements, by the moments at which these were made."""
    number = number_of(page, OWN)
    views = [page.measurements(number) for _ in range(8)]
    seen = [{next(view)["uptime"]} for view in views]
    for _ in range(4):
        for view, moments in zip(views, seen):
            moments.add(next(view)["uptime"])
    begin, end = max(map(min, seen)), min(map(max, seen))
    common = [{moment for moment in moments if begin <= moment <= end} for moments in seen]
    assert len(common[0]) >= 2 and all(each == common[0] for each in common)
    for view in views:
        view.close()


def test_handlers_are_read_and_written(page, send):
    number = number_of(page, OWN)
    send(*[ARP] * 3)
    own = {each["name"]: each for each in page.get(f"subjects/{number}/handlers", element="arp").json["handlers"]}
    assert own["count"]["read"] and not own["count"]["write"] and own["reset_counts"]["write"]

    def count() -> int:
        return int(page.get(f"subjects/{number}/handler", element="arp", name="count").json["value"])

    assert eventually(lambda: count() >= 3)
    assert page.post(f"subjects/{number}/handler", element="held", name="active", text="true").status == 200
    assert execute(None, "read", "-r", OWN, "held.active").out.strip() == "true"
    refused = page.post(f"subjects/{number}/handler", element="held", name="active", text="perhaps").errors
    assert "active" in refused[0]["message"]
    assert page.get(f"subjects/{number}/handler", element="arp", name="nothing").errors
    assert page.get(f"subjects/{number}/handler", element="nothing", name="count").errors


def test_a_page_that_only_looks_writes_nothing(serve, loaded):
    page = serve(OWN)
    number = number_of(page, OWN)
    own = page.get(f"subjects/{number}/handlers", element="held").json["handlers"]
    assert not any(each["write"] for each in own)
    assert page.post(f"subjects/{number}/handler", element="held", name="active", text="true").status == 403
    assert execute(None, "read", "-r", OWN, "held.active").out.strip() == "false"


def test_handlers_that_need_a_right_are_neither_offered_nor_called(page):
    number = number_of(page, OWN)
    calls = {each["name"] for each in page.get(f"subjects/{number}/handlers", element="arp").json["handlers"] if each["write"]}
    assert "reset_counts" in calls and not calls & {"count_call", "byte_count_call"}
    refused = page.post(f"subjects/{number}/handler", element="arp", name="count_call", text="9 stop").errors
    assert "Permission denied" in refused[0]["message"]
    assert "hotconfig" not in {each["name"] for each in page.get(f"subjects/{number}/handlers").json["handlers"]}
    assert page.post(f"subjects/{number}/handler", element="", name="hotconfig", text="Idle -> Discard").errors
    assert "table" not in {each["name"] for each in page.get(f"subjects/{number}/handlers", element="tunnels").json["handlers"]}
    assert "Permission denied" in page.get(f"subjects/{number}/handler", element="tunnels", name="table").errors[0]["message"]


def test_keys_are_shown_nowhere(serve, loaded):
    page = serve(OWN)
    number = number_of(page, OWN)
    texts = [
        page.get(f"subjects/{number}/graph").body,
        page.get(f"subjects/{number}/element", name="tunnels").body,
        page.get(f"subjects/{number}/text").body,
        *(page.get(f"subjects/{number}/handler", element="tunnels", name=name).body for name in ("config", "table")),
        *(page.get(f"subjects/{number}/handler", element="", name=name).body for name in ("config", "flatconfig")),
    ]
    assert b"&lt;key" not in texts[1] and b"<key>" in texts[1]
    assert not [text for text in texts if KEY.encode() in text]


NO_NAMES = [("arp", "count 3\r\nWRITE held.active true"), ("arp\r\nQUIT", "count"), ("arp", ""), ("arp", "x.y")]


def test_names_are_no_commands(page):
    number = number_of(page, OWN)
    for element, name in NO_NAMES:
        assert "no name" in page.get(f"subjects/{number}/handler", element=element, name=name).errors[0]["message"]
    assert execute(None, "read", "-r", OWN, "held.active").out.strip() == "false"


def test_a_dead_runtime_is_seen_and_the_kernel_goes_on_being_measured(page, send):
    from clickbpf.load.files.places import RunFolder
    from clickbpf.load.process import service

    from ..cli.conftest import kill

    number = number_of(page, OWN)
    kill(service.alive(RunFolder.of(OWN)))
    measured = page.measurements(number)
    assert eventually(lambda: next(measured).get("state") == "degraded")
    measured.close()
    send(ARP)
    assert eventually(lambda: int(page.get(f"subjects/{number}/handler", element="arp", name="count").json["value"]) >= 1)
    assert "Permission denied" in page.get(f"subjects/{number}/handler", element="tunnels", name="table").errors[0]["message"]


def test_another_router_in_its_place_is_seen(page, loaded, router):
    number = number_of(page, OWN)
    measured = page.measurements(number)
    first = next(measured)["version"]
    loaded.write_text("FromDevice(eth0) -> other :: Counter -> Discard;")
    assert execute(router, "load", "--replace", str(loaded)).status == 0
    assert eventually(lambda: next(measured).get("version", first) != first)
    assert "other" in {box["name"] for box in page.get(f"subjects/{number}/graph").json["boxes"]}
    assert execute(router, "unload", OWN).status == 0
    assert eventually(lambda: "error" in next(measured))
    measured.close()


def test_without_names_routers_come_and_go(serve, loaded, router):
    page = serve()
    number_of(page, OWN)
    execute(router, "unload", OWN)
    assert eventually(lambda: OWN not in {each["name"] for each in page.get("subjects").json["subjects"]})
