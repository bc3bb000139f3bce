"""Packets that are followed: through a test instance, which can do no harm, and through a router that runs."""

import http.client
import json
import socket
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest
from scapy.layers.inet import ICMP, IP
from scapy.layers.l2 import Ether
from tests.waiting import eventually

from .conftest import ARP, OWN, number_of

CONFIGURATION = """
FromDevice(eth0) -> c :: Classifier(12/0800, -);
c[0] -> Strip(14) -> k :: CheckIPHeader -> t :: DecIPTTL -> Unstrip(14) -> p :: Paint(3) -> q :: Queue -> u :: DelayUnqueue(0.1) -> Queue
    -> out :: ToDevice(eth1);
c[1] -> d :: Discard;
t[1] -> late :: Discard;
"""


def packet(ttl: int = 9) -> bytes:
    return bytes(Ether(dst="02:00:00:00:00:01", src="02:00:00:00:00:02") / IP(src="10.0.0.1", dst="10.0.0.2", ttl=ttl) / ICMP() / b"abc")


def page_of(serve, tmp_path, text: str, *words: str):
    file = tmp_path / "a.click"
    file.write_text(text)
    return serve(*words, file)


def follow(page, data: bytes | str, device: str = "eth0", **more):
    digits = data if isinstance(data, str) else data.hex()
    return page.post("subjects/0/packet", device=device, packet=digits, **more)


def test_a_packet_is_followed_to_its_end(serve, tmp_path):
    page = page_of(serve, tmp_path, CONFIGURATION)
    found = follow(page, packet()).json
    (path,) = found["paths"]
    assert path["from"] == "eth0" and path["ends"] == [f"sent by eth1, {len(packet())} bytes"]
    steps = {element: changes for element, _, _, changes in path["steps"]}
    assert [name for name in steps if "@" not in name] == ["c", "k", "t", "p", "q", "u", "out"]
    assert "ip ttl 9 -> 8" in steps["t"] and steps["p"] == ["paint 0 -> 3"]
    ((device, sent),) = found["sent"]
    expected = packet(8)
    assert (device, bytes.fromhex(sent)) == ("eth1", expected)
    assert [name for name, *_ in follow(page, packet(1)).json["paths"][0]["steps"] if "@" not in name] == ["c", "k", "t", "late"]
    assert follow(page, ARP).json["paths"][0]["ends"] == ["dropped by d: DISCARDED, an element that drops on purpose, such as Discard"]


def test_each_packet_meets_a_router_of_its_own(serve, tmp_path):
    page = page_of(serve, tmp_path, "FromDevice(eth0) -> c :: Counter -> l :: Switch(0) -> Queue -> ToDevice(eth0);")
    assert [len(follow(page, packet()).json["sent"]) for _ in range(2)] == [1, 1]


def test_what_an_instance_could_do_to_the_machine_it_does_not(serve, tmp_path):
    """Elements that write files, listen, and would be root."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    tmp_path.chmod(0o777)
    made = folder / "made.pcap"
    text = f"FromDevice(eth0) -> t :: Tee -> Queue -> ToDevice(eth0); t[1] -> ToDump({made}); ControlSocket(TCP, {port}, LOCALHOST true);"
    page = page_of(serve, tmp_path, text)
    follow(page, packet())
    assert not made.exists() or made.stat().st_size == 0
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", port), 1)


def test_what_elements_print_is_no_answer(serve, tmp_path):
    page = page_of(serve, tmp_path, 'FromDevice(eth0) -> Print("{}", -1) -> Discard; Script(print "[]");')
    assert len(follow(page, packet()).json["paths"]) == 1


def test_packets_that_are_none(serve, tmp_path):
    page = page_of(serve, tmp_path, CONFIGURATION)
    for wrong in ("", "xyz", "0", "00" * 13, "00" * 9001, "IP(dst='10.0.0.1')", "\N{FULLWIDTH DIGIT ONE}" * 40):
        assert "a packet" in follow(page, wrong).errors[0]["message"], wrong
    assert "no device eth7" in follow(page, packet(), "eth7").errors[0]["message"]
    assert follow(page, " ".join(f"{byte:02x}" for byte in packet())).status == 200


def test_another_text_is_run_only_by_a_page_that_may_write(serve, tmp_path):
    other = "FromDevice(eth0) -> mine :: Discard;"
    page = page_of(serve, tmp_path, CONFIGURATION)
    assert follow(page, packet(), text=other).status == 403
    page = page_of(serve, tmp_path, CONFIGURATION, "--write")
    assert [name for name, *_ in follow(page, packet(), text=other).json["paths"][0]["steps"] if "@" not in name] == ["mine"]
    assert follow(page, packet(), text="Idle -> Countre -> Discard").errors[0]["line"] == 1


def test_a_router_that_never_rests_ends_nevertheless(serve, tmp_path):
    page = page_of(serve, tmp_path, "FromDevice(eth0) -> Discard; InfiniteSource -> Discard;")
    assert follow(page, packet()).status in (200, 422)


@pytest.mark.needs("root", "ip", "clang-19")
def test_packets_of_a_running_router(serve, send):
    page = serve("--write", OWN)
    number = number_of(page, OWN)
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=120)
    path = f"/api/subjects/{number}/trace?count=3&filter={quote('ether proto 0x0806')}"
    connection.request("GET", path, headers={"Cookie": page.cookie})
    told = connection.getresponse()

    def message() -> dict:
        while not (line := told.readline()).startswith(b"data: "):
            assert line, "the trace has ended"
        return json.loads(line[6:])

    assert message() == {"begun": True}
    send(*[ARP] * 3)
    paths = []
    assert eventually(lambda: paths.append(message()) or any("path" in each for each in paths))
    path = next(each["path"] for each in paths if "path" in each)
    assert {"in", "c", "arp"} <= {element for element, *_ in path["steps"]} and {where for _, _, where, _ in path["steps"]} == {"kernel"}
    connection.close()
    measured = page.measurements(number)
    assert "state" in next(measured)
    measured.close()
    # What it costs to send them on, of those that come in a second.
    with ThreadPoolExecutor(1) as pool:
        costs = pool.submit(page.get, f"subjects/{number}/costs")
        while not costs.done():
            send(*[ARP] * 3)
    found = {each["element"]: each for each in costs.result().json["costs"]}
    assert {"in", "c", "arp"} <= found.keys() and found["arp"]["packets"] > 0 and sum(each["share"] for each in found.values()) <= 1.001


@pytest.mark.needs("root", "ip", "clang-19")
def test_a_page_that_only_looks_traces_nothing(serve, loaded):
    page = serve(OWN)
    assert page.get(f"subjects/{number_of(page, OWN)}/trace", count=1).status == 403
    assert page.get(f"subjects/{number_of(page, OWN)}/costs").status == 403
    page = serve("--write", OWN)
    for count in ("", "0", "x", "-1", "1001", "99999999"):
        assert page.get(f"subjects/{number_of(page, OWN)}/trace", count=count).status == 400


@pytest.mark.needs("root", "ip", "clang-19")
def test_an_instance_of_a_running_router(serve, loaded):
    page = serve(OWN)
    number = number_of(page, OWN)
    found = page.post(f"subjects/{number}/packet", device="eth0", packet=ARP.hex()).json
    assert {"in", "c", "arp"} <= {element for element, *_ in found["paths"][0]["steps"]}
    assert page.get(f"subjects/{number}/handler", element="arp", name="count").json["value"].strip() == "0"
