"""ICMPError: what errors look like (RFC 792, RFC 1191), and which packets cause none (RFC 1122, 3.2.2; RFC 1812, 4.3.2)."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption, IPOption_NOP
from scapy.layers.l2 import Ether

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.testing.cases import Case
from clickbpf.testing.equivalence import Twins
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import DROPPED, HANDED, SENT
from clickbpf.testing.packets import Mix
from clickbpf.testing.reach import FULL, Reach
from clickbpf.vocabulary.library import Library

ME = "10.0.0.1"


def packet(**fields) -> IP:
    return IP(**{"src": "10.0.0.2", "dst": "10.0.1.2", **fields}) / UDP() / bytes(range(200))


def error(cause, **fields) -> IP:
    """The error about a packet that began with the bytes `cause`."""
    header = {"src": ME, "dst": "10.0.0.2", "ttl": 200, "id": 1, **fields.pop("ip", {})}
    return IP(**header) / ICMP(**fields) / cause


@pytest.fixture
def about(element):
    """An ICMPError with arguments after SRC; `before` as for `element`."""

    def make(arguments: str, before: str = "", headers: str = "ip-checked"):
        return element(f"ICMPError({ME}, {arguments})", headers=headers, before=before)

    return make


@pytest.mark.parametrize(
    "arguments, fields",
    [
        ("timeexceeded", {"type": 11, "code": 0}),
        ("timeexceeded, reassembly", {"type": 11, "code": 1}),
        ("11, 1", {"type": 11, "code": 1}),
        ("unreachable, host", {"type": 3, "code": 1}),
        ("unreachable, filterprohibited", {"type": 3, "code": 13}),
        ("unreachable, needfrag, PMTU 1400", {"type": 3, "code": 4, "nexthopmtu": 1400}),
        ("unreachable, port, PMTU 1400", {"type": 3, "code": 3}),
        ("sourcequench", {"type": 4, "code": 0}),
        ("redirect, host", {"type": 5, "code": 1, "gw": "9.9.9.9"}),
        ("parameterproblem", {"type": 12, "code": 0, "ptr": 21}),
        ("parameterproblem, missingopt", {"type": 12, "code": 1, "ptr": 0}),
    ],
)
def test_types_and_what_they_take_from_the_packet(about, arguments, fields):
    made = about(arguments, before="SetIPAddress(9.9.9.9) -> Paint(21, ICMP_PARAMPROB) -> Paint(3)")
    seen = made.gives(packet(), error(bytes(packet()), **fields), DST_IP=0x0A000002, FIX_IP_SRC=1, PAINT=0, ICMP_PARAMPROB=0)
    assert (seen.carried.network, seen.carried.transport, seen.carried.mac) == (0, 20, None)
    assert (seen.carried.type, seen.carried.device) == (0, -1)


def test_messages_are_numbered(about):
    made = about("timeexceeded")
    for number in (1, 2, 3):
        made.gives(packet(), error(bytes(packet()), type=11, ip={"id": number}))


def test_the_packet_within_is_cut(about):
    made = about("timeexceeded")
    whole = bytes(packet() / bytes(1000))
    for number, (mtu, inside) in enumerate([(576, 548), (100, 72), (28, 0), (0, 0), (1255, 1227), (1256, 1228), (2000, 1228)], 1):
        made.write("mtu", mtu)
        made.gives(whole, error(whole[:inside], type=11, ip={"id": number}))


def test_the_packet_within_begins_with_its_ip_header(about):
    made = about("timeexceeded", headers="ip-in-ethernet")
    made.gives(bytes(12) + b"\x08\x00" + bytes(packet()), error(bytes(packet()), type=11))
    made = about("timeexceeded", headers="ip-checked", before="Strip(20)")
    made.gives(packet(), error(bytes(packet()), type=11))


NO_CAUSES = {
    "to everybody": packet(dst="255.255.255.255"),
    "to a group": packet(dst="224.0.0.5"),
    "to a subnet": packet(dst="10.0.1.255"),
    "from a subnet": packet(src="10.0.1.255"),
    "from everybody": packet(src="255.255.255.255"),
    "from a group": packet(src="239.1.2.3"),
    "from nobody": packet(src="0.1.2.3"),
    "from itself": packet(src="127.0.0.1"),
    "from class E": packet(src="240.0.0.1"),
    "a later fragment": packet(frag=1),
    "an error": IP(src="10.0.0.2", dst="10.0.1.2") / ICMP(type=3) / bytes(28),
    "an error of every type": IP(src="10.0.0.2", dst="10.0.1.2") / ICMP(type=12) / bytes(28),
    "a message without a type": IP(src="10.0.0.2", dst="10.0.1.2", proto=1) / b"\x08\x00\x00",
}


def test_packets_that_cause_no_errors(about):
    made = about("unreachable, net, 10.0.1.255")
    for sent in NO_CAUSES.values():
        made.drops(sent)
    assert made.dropped("FILTERED") == len(NO_CAUSES)
    for sent in (packet(flags="MF"), IP(src="10.0.0.2", dst="10.0.1.2") / ICMP()):
        made.gives(sent)


def test_packets_to_many_on_the_link_cause_none(about):
    made = about("unreachable", headers="ip-in-ethernet")
    for destination in ("ffffffffffff", "01005e000005"):
        made.drops(bytes.fromhex(destination) + bytes(6) + b"\x08\x00" + bytes(packet()))


A, B, C = bytes([1, 1, 1, 1]), bytes([2, 2, 2, 2]), bytes([3, 3, 3, 3])


def source_route(kind: int, pointer: int, *addresses: bytes) -> list:
    return [IPOption(bytes([kind, 3 + 4 * len(addresses), pointer]) + b"".join(addresses))]


def test_an_error_goes_back_along_a_source_route(about):
    """RFC 1812, 4.3.2.6: the routers that have been passed, in reverse order."""
    made = about("timeexceeded")
    routes = [(kind, passed) for kind in (131, 137) for passed in ((A, B), (A,), ())]
    for number, (kind, passed) in enumerate(routes, 1):
        sent = packet(options=source_route(kind, 4 + 4 * len(passed), *passed, C))
        made.send(sent)
        options = [IPOption(bytes([kind, 3 + 4 * len(passed), 4]) + b"".join(reversed(passed)) + b"\x00")]
        seen = made.expect(0, error(bytes(sent), type=11, ip={"options": options, "id": number}))
        assert seen.carried.transport == 24 + 4 * len(passed)


def test_unless_the_error_is_about_the_route_itself(about):
    sent = packet(options=source_route(131, 8, A, B))
    made = about("parameterproblem", before="pointer :: Paint(0, ICMP_PARAMPROB)")
    for pointer, has_route in ((19, True), (20, False), (22, False), (30, False), (31, True)):
        made.write("pointer.color", pointer)
        made.send(sent)
        assert (made.expect(0).packet.ihl > 5) == has_route


def test_source_routed_packets_are_not_redirected(about):
    made = about("redirect, host")
    made.drops(packet(options=source_route(131, 8, A, B)))
    made.gives(packet(options=[IPOption_NOP()] * 4))


def test_arguments_that_can_change(about):
    made = about("unreachable, needfrag, MTU 100, PMTU 1000")
    assert [made.read(name) for name in ("src", "mtu", "pmtu")] == [ME, "100", "1000"]
    for name, value in (("src", "7.7.7.7"), ("mtu", "56"), ("pmtu", "1280")):
        made.write(name, value)
    made.gives(packet(), error(bytes(packet())[:28], type=3, code=4, nexthopmtu=1280, ip={"src": "7.7.7.7"}))
    made.refuses("src", "nowhere", "not an IP address")


def test_the_source_may_be_left_alone(about):
    made = about("timeexceeded, SET_FIX_ANNO false")
    made.gives(packet(), FIX_IP_SRC=0)


def test_it_can_be_pulled(router):
    made = router(f"FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> Queue -> ICMPError({ME}, 11) -> ToDevice(eth1);")
    made.forwards("eth0", bytes(12) + b"\x08\x00" + bytes(packet()), "eth1", bytes(error(bytes(packet()), type=11)))


@pytest.mark.parametrize(
    "arguments, mistake",
    [
        ("1.2.3.4, echo", "ICMP type 8 is not an error type"),
        ("1.2.3.4, unreachable, transit", "ICMP code"),
        ("1.2.3.4, unreachable, 256", "bound 255"),
    ],
)
def test_mistakes(arguments, mistake):
    with pytest.raises(ClickError) as found:
        check_text(f"Idle -> ICMPError({arguments}) -> Discard;", Library.standard())
    assert mistake in found.value.render()


#: All that an error takes from a packet crosses with it.
CASES = [
    Case(
        f"ICMPError({ME}, {arguments})",
        headers="ip-checked",
        before="SetIPAddress(9.9.9.9) -> Paint(21, ICMP_PARAMPROB)",
        packets=2000,
        mix=Mix(options=50),
        hooks=(hook,),
    )
    for arguments, hook in (
        ("parameterproblem, MTU 100", "bpf"),
        ("timeexceeded, BADADDRS 10.0.1.255, SET_FIX_ANNO false, RATE 0", "tc"),
        ("redirect, host, RATE 50", "bpf"),
        ("unreachable, needfrag, PMTU 1400, MTU 1280, RATE 0", "tc"),
    )
]


#: An IP header at the start of a frame that has no room before it.
NO_ROOM = f"{FULL} -> StoreData(0, \\<{bytes(packet())[:20].hex()}>) -> MarkIPHeader"
#: What the kernel path leaves to the runtime: options, which may be a source route; more bytes than it adds up; frames without room.
PUNTS = [
    Reach(f"ICMPError({ME}, redirect)", headers="ip-checked", mix=Mix(options=300)),
    Reach(f"ICMPError({ME}, timeexceeded)", headers="ip-checked", mix=Mix(options=300)),
    Reach(f"ICMPError({ME}, timeexceeded)", headers="ip-checked", before=NO_ROOM),
    Reach(f"ICMPError({ME}, timeexceeded, MTU 5000)", headers="ip-checked"),
]


@pytest.mark.parametrize("kernel_path", ["bpf", "tc"])
def test_the_kernel_makes_errors_and_leaves_others_to_the_runtime(kernel_path):
    with start(f"FromDevice(a) -> Strip(14) -> CheckIPHeader -> ICMPError({ME}, 11) -> Queue -> ToDevice(b);", kernel_path) as kernel:
        for sent, verdict in (
            (packet(), SENT),
            (packet(options=[IPOption_NOP()] * 4), HANDED),
            (packet(frag=1), DROPPED),
            (packet(dst="224.0.0.5", options=[IPOption_NOP()] * 4), DROPPED),
        ):
            assert kernel.run("a", bytes(12) + b"\x08\x00" + bytes(sent))[0] == verdict, sent.summary()


@pytest.mark.parametrize("kernel_path", ["bpf", "tc"])
def test_what_the_rate_does_not_permit_never_comes_to_the_runtime(kernel_path):
    """Not even a packet that the kernel path would leave to it."""
    text = f"FromDevice(a) -> Strip(14) -> CheckIPHeader -> ICMPError({ME}, 11, RATE 3) -> Queue -> ToDevice(b);"
    with start(text, kernel_path, simtime=True) as kernel:
        frames = [bytes(12) + b"\x08\x00" + bytes(packet(options=[IPOption_NOP()] * 4 * number)) for number in range(2)]
        verdicts = [kernel.run("a", frames[0])[0] for _ in range(5)]
        assert verdicts == [SENT] * 3 + [DROPPED] * 2
        assert kernel.run("a", frames[1])[0] == DROPPED
        assert kernel.drops() == {("ICMPError@4", "LIMITED"): 3}


def test_joined_segments_are_due_an_error_each():
    """On TC Linux has joined them; the runtime gets them one by one."""
    text = f"FromDevice(a) -> Strip(14) -> CheckIPHeader -> x :: ICMPError({ME}, 11, RATE 1) -> Queue -> ToDevice(b);"
    segments = bytes(Ether() / IP(src="10.0.0.2", dst="10.0.1.2") / TCP(flags="A") / bytes(2500))
    with start(text, "tc", simtime=True) as kernel:
        kernel.joined = 1000
        assert kernel.run("a", segments)[0] == HANDED
        kernel.joined = 0
        kernel.run("a", bytes(Ether() / packet()))
        kernel.joined = 1000
        assert kernel.run("a", segments)[0] == DROPPED
        assert kernel.drops() == {("x", "LIMITED"): 3}


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("user", [frozenset(), frozenset({"two"}), frozenset({"one", "two"})], ids=["kernel", "both", "runtime"])
def test_messages_of_all_elements_have_different_numbers(user):
    """Whichever executor makes them: by RFC 791, fragments of different messages must be distinguishable."""
    text = f"""
        FromDevice(a) -> Strip(14) -> CheckIPHeader -> s :: RoundRobinSwitch;
        s[0] -> one :: ICMPError({ME}, 11) -> out :: Queue -> ToDevice(b);
        s[1] -> two :: ICMPError({ME}, 3) -> out;
    """
    with Twins(text, user=user) as both:
        sent = [both.send("a", bytes(12) + b"\x08\x00" + bytes(packet())) for _ in range(6)]
    assert [IP(one.data).id for (one,) in sent] == [1, 2, 3, 4, 5, 6]


def test_errors_come_from_no_device(router):
    """ToHost has no device on which Linux could have received one."""
    ether = "EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2)"
    made = router(f"FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> ICMPError({ME}, 11) -> {ether} -> h :: ToHost;")
    made.send("eth0", bytes(12) + b"\x08\x00" + bytes(packet()))
    made.expect_nothing()
    assert (made.dropped("h", "DEVICE"), made.read("h.drops")) == (1, "1")


def send_many(x, count: int, hosts: int = 1) -> tuple[int, int]:
    """How many packets of this number, from so many hosts in turn, caused a message, and how many were dropped for a rate."""
    before = x.dropped("LIMITED")
    for i in range(count):
        x.send(packet(src=f"192.168.{i % hosts // 250}.{i % hosts % 250 + 1}"))
    limited = x.dropped("LIMITED") - before
    for _ in range(count - limited):
        x.expect(0)
    x.expect_nothing()
    return count - limited, limited


def test_no_more_messages_than_the_rate(element):
    """RFC 1812, 4.3.2.8: a second's worth at once, and then as they come."""
    x = element(f"ICMPError({ME}, timeexceeded, RATE 100, HOST_RATE 0)", headers="ip-checked", simtime=True)
    assert send_many(x, 150) == (100, 50)
    x.router.advance(0.5)
    passed, _ = send_many(x, 80)
    assert 48 <= passed <= 50, "the bucket rounds down"
    x.router.advance(10)
    assert send_many(x, 150) == (100, 50)
    x.write("rate", "0")
    assert send_many(x, 300) == (300, 0)
    x.write("rate", "10")
    x.router.advance(10)
    assert (x.read("rate"), send_many(x, 20)) == ("10", (10, 10))


@pytest.mark.whole
def test_the_default_permits_a_thousand_at_once(element):
    x = element(f"ICMPError({ME}, timeexceeded)", headers="ip-checked", simtime=True)
    assert send_many(x, 1001, hosts=100) == (1000, 1)
    assert x.read("rate") == "1000"


def test_one_sender_takes_a_part_only(element):
    """A flood from one host doesn't keep another from hearing that its packet is too big."""
    x = element(f"ICMPError({ME}, unreachable, needfrag, RATE 100, HOST_RATE 10)", headers="ip-checked", simtime=True)
    assert send_many(x, 500) == (10, 490)
    x.gives(packet(src="192.168.9.9"))
    x.router.advance(2)
    assert send_many(x, 20) == (10, 10)
    x.router.advance(2)
    assert send_many(x, 300, hosts=100) == (100, 200), "the limit for all still holds"


def test_packets_that_cause_no_error_do_not_count(element):
    x = element(f"ICMPError({ME}, timeexceeded, RATE 1)", headers="ip-checked", simtime=True)
    for _ in range(5):
        x.send(packet(dst="224.0.0.1"))
    assert send_many(x, 2) == (1, 1)


@pytest.mark.executors("native")
def test_a_clock_that_is_behind_anothers_brings_nothing(router):
    """CPUs' clocks may differ by milliseconds: a bucket that another CPU has just emptied stays empty."""
    frame = bytes(12) + b"\x08\x00" + bytes(packet())
    text = f"FromDevice(a) -> Strip(14) -> CheckIPHeader -> x :: ICMPError({ME}, timeexceeded, RATE 1) -> Queue -> ToDevice(b);"
    x = router(text, simtime=True)
    x.send("a", frame)
    x.expect("b")
    bucket = x.executor.runtime.instances["x"].state.bucket
    bucket.level += 5 << 32
    x.send("a", frame)
    x.expect_nothing()
    assert x.dropped("x", "LIMITED") == 1
