"""Other arguments for a running element, by its handler `config`: as Click's live reconfiguration, with everything else kept."""

from contextlib import contextmanager

import pytest
from scapy.layers.inet import IP as IPv4
from scapy.layers.inet import TCP
from scapy.layers.l2 import ARP as Request
from scapy.layers.l2 import Ether
from tests.axes import few

from clickbpf.errors import ClickError
from clickbpf.runtime.failures import HandlerError
from clickbpf.vocabulary.rights import Right

IP, ARP = (bytes(12) + kind + bytes(60) for kind in (b"\x08\x00", b"\x08\x06"))

#: Every class that Click reconfigures: arguments before and after; and how it is connected.
THROUGH = "FromDevice(eth0) -> x -> Discard;"
MARKED = "FromDevice(eth0) -> MarkIPHeader -> x -> Discard;"
PULLED = "FromDevice(eth0) -> Queue -> x -> Unqueue -> Discard;"
SPLIT = THROUGH + "x[1] -> Discard;"
MERGED = THROUGH + "FromDevice(eth1) -> [1]x;"
CLASSES = [
    ("ARPQuerier", "10.0.0.1/24, 1:1:1:1:1:1", "10.0.0.2/24, 2:2:2:2:2:2, TIMEOUT 7, CAPACITY 3", MERGED),
    ("ARPTable", "", "TIMEOUT 3", ""),
    ("Block", "3", "4", SPLIT),
    ("Classifier", "12/0800, -", "12/0806, -", SPLIT),
    ("IPClassifier", "tcp, -", "udp, -", MARKED + "x[1] -> Discard;"),
    ("IPFilter", "allow tcp", "deny all", MARKED),
    ("Clipboard", "0/3", "1/17", "FromDevice(eth0) -> x -> Discard; FromDevice(eth1) -> [1]x[1] -> Discard;"),
    ("CoDel", "5ms, 100ms", "6ms, 7ms", PULLED),
    ("EtherEncap", "0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2", "0x0801, 1:1:1:1:1:3, 2:2:2:2:2:2", THROUGH),
    ("EtherRewrite", "1:1:1:1:1:1, 2:2:2:2:2:2", "3:1:1:1:1:1, 2:2:2:2:2:2", THROUGH),
    ("EtherVLANEncap", "0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2, 3", "0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2, 4", THROUGH),
    (
        "FTPPortMapper",
        "r, r, 0",
        "r, r, 1",
        "r :: TCPRewriter(pattern - - - - 0 0, pattern - - - - 0 0); "
        "FromDevice(eth0) -> MarkIPHeader -> x -> r -> Discard; FromDevice(eth1) -> MarkIPHeader -> [1]r;",
    ),
    ("GetEtherAddress", "0, src", "0, 3", THROUGH),
    ("HostEtherFilter", "1:1:1:1:1:1", "1:1:1:1:1:2, DROP_OWN true", THROUGH),
    ("HostRateLimiter", "5", "6, PREFIX 24", SPLIT),
    ("ICMPError", "1.1.1.1, unreachable, host", "1.1.1.2, redirect, host", MARKED),
    ("InfiniteSource", "LIMIT 1", "LIMIT 3, TIMESTAMP false", "x -> Discard;"),
    ("InputSwitch", "0", "1", MERGED),
    ("IP6Encap", "4, ::1, ::2", "5, ::1, DST_ANNO, CLASS 5", THROUGH),
    ("IPEncap", "4, 1.1.1.1, 2.2.2.2", "5, 1.1.1.1, 2.2.2.2, TTL 3", THROUGH),
    ("IPsecEncap", "50", "51, 1.2.3.4", THROUGH),
    ("MarkMACHeader", "0", "2", THROUGH),
    ("Pad", "60", "70", THROUGH),
    ("Paint", "3", "4, 20", THROUGH),
    ("Print", "a", "b, 3", THROUGH),
    ("RandomBitErrors", "0.1", "0.2", THROUGH),
    ("RandomSample", "0.5", "SAMPLE 0.2, ACTIVE true", THROUGH),
    ("RandomSeed", "5", "6", ""),
    ("RatedSplitter", "5", "6", SPLIT),
    ("RatedUnqueue", "5", "6", "FromDevice(eth0) -> Queue -> x -> Discard;"),
    ("RED", "5, 50, 0.02, QUEUES q", "6, 60, 0.01, QUEUES q, STABILITY 3", "FromDevice(eth0) -> x -> q :: Queue -> Unqueue -> Discard;"),
    ("SetAnnoByte", "16, 4", "17, 5", THROUGH),
    ("SetEtherAddress", "1:1:1:1:1:1, 8", "1:1:1:1:1:2, 16", THROUGH),
    ("SetIPAddress", "1.1.1.1", "1.1.1.2, ANNO 4", THROUGH),
    ("SetIPDSCP", "1", "2", MARKED),
    ("SetIPECN", "1", "2", MARKED),
    ("SetPacketType", "HOST", "BROADCAST", THROUGH),
    ("SetVLANAnno", "1", "2", THROUGH),
    ("Shaper", "1", "2", PULLED),
    ("StrideSched", "1, 2", "2, 1", PULLED + "FromDevice(eth1) -> Queue -> [1]x;"),
    ("StrideSwitch", "1, 2", "2, 1", SPLIT),
    ("StripEtherVLANHeader", "0", "1", THROUGH),
    ("Switch", "0", "1", SPLIT),
    ("PullSwitch", "0", "1", PULLED + "FromDevice(eth1) -> Queue -> [1]x;"),
    ("TCPFragmenter", "MTU 1500", "MTU 1400", MARKED),
    ("Truncate", "50", "40", THROUGH),
    ("UDPIP6Encap", "2001:db8::1, 1, 2001:db8::2, 3", "2001:db8::1, 1, DST_ANNO, 4", THROUGH),
    ("UDPIPEncap", "1.1.1.1, 1, 2.2.2.2, 3", "1.1.1.1, 1, 2.2.2.2, 4, CHECKSUM false", THROUGH),
]


#: Classes that show their arguments in a form of their own, as in Click, which their own tests are about.
FORMS = {"CoDel", "EtherVLANEncap", "SetVLANAnno"}


@pytest.mark.parametrize("class_name, before, after, rest", few(CLASSES, 12, rows=True))
def test_every_class_that_click_reconfigures(routers, class_name, before, after, rest):
    router = routers(f"x :: {class_name}({before}); {rest}")
    assert "config\trw\n" in router.read("x.handlers")
    router.write("x.config", after)
    if class_name not in FORMS:
        assert router.read("x.config") == after
    assert f"x :: {class_name}({router.read('x.config')});" in router.read("flatconfig")


@pytest.mark.parametrize("element, handler, value, config", [
    ("IPEncap(4, 1.1.1.1, DST 2.2.2.2, TTL 3)", "dst", "9.9.9.9", "4, 1.1.1.1, DST 9.9.9.9, TTL 3"),
    ("EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2)", "etht", "0x86dd", "0x86dd, 1:1:1:1:1:1, 2:2:2:2:2:2"),
    ("UDPIPEncap(1.1.1.1, 5, 2.2.2.2, 6)", "sport", "77", "1.1.1.1, 77, 2.2.2.2, 6"),
])  # fmt: skip
def test_handlers_that_give_one_argument_another_value(routers, monkeypatch, element, handler, value, config):
    """As in Click, `config` has it, and what is wrong is said as for `config`."""
    router = routers(THROUGH.replace("x", f"x :: {element}"))
    router.write(f"x.{handler}", value)
    assert router.read("x.config") == config
    monkeypatch.setenv("CLICKBPF_MESSAGES", "click")
    with pytest.raises(ClickError, match=r": [A-Z]+: (invalid number|parse error)$"):
        router.write(f"x.{handler}", "x y")
    assert router.read("x.config") == config


@pytest.mark.parametrize("element, handler, message, result", [
    ("Print(a)", "active", "expected boolean", -22),
    ("CheckLength(5)", "length", "expected integer", -22),
    ("Paint(5)", "color", "expected uint8_t", -22),
    ("HostEtherFilter(1:1:1:1:1:1)", "ether", "expected Ethernet address", -22),
    ("SetIPAddress(1.1.1.1)", "addr", "expected IP address", -22),
    ("RatedSplitter(5)", "rate", "RATE: invalid number", -1),
    ("SetVLANAnno(5)", "vlan_id", "VLAN_ID: invalid number", -1),
    ("SetIPDSCP(5)", "dscp", "DSCP: invalid number", -1),
    ("SetIPDSCP(5)", "config", "DSCP: invalid number", -1),
])  # fmt: skip
def test_what_is_wrong_with_a_value_in_clicks_words(routers, monkeypatch, element, handler, message, result):
    """Click's handlers of fields name the type that they expect. Those that give the element arguments, or one, say what is wrong with
    that; their result is another one."""
    monkeypatch.setenv("CLICKBPF_MESSAGES", "click")
    router = routers(THROUGH.replace("x", f"x :: {element}"))
    with pytest.raises(HandlerError) as raised:
        router.write(f"x.{handler}", "x y")
    assert (raised.value.message, raised.value.result) == (message, result)


SORTED = """
FromDevice(eth0) -> before :: Counter -> c :: Classifier(12/0800, -);
c[0] -> ip :: Counter -> q :: Queue -> Unqueue(ACTIVE false) -> Discard; c[1] -> other :: Counter -> Discard;
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_packets_go_by_the_new_arguments_and_all_state_stays(routers, threads):
    router = routers(SORTED, threads=threads)
    router.send(IP, ARP)
    router.write("c.config", "12/0806, -")
    assert router.counts("before", "ip", "other") == [2, 1, 1]
    router.send(IP, IP, ARP)
    assert router.counts("before", "ip", "other") == [5, 2, 3]
    assert router.read("q.length") == "2"
    router.write("c.config", "12/0800, -")
    router.send(IP)
    assert router.counts("ip", "other") == [3, 3]


def test_a_trace_that_begins_meanwhile(routers):
    """The kernel path of other arguments isn't put in the place of the one that a trace has begun with while that was being made."""
    router, changed = routers(SORTED), []

    @contextmanager
    def traced(wanted):
        raise ClickError("the router is being traced")
        yield

    @contextmanager
    def plain(wanted):
        router.now.kernel = traced
        yield lambda: changed.append(wanted)

    router.now.kernel = plain
    with pytest.raises(ClickError, match="being traced"):
        router.write("c.config", "12/0806, -")
    assert not changed
    assert router.read("c.config") == "12/0800, -"


@pytest.mark.parametrize("config", ["(((", "a)(b", '"x', "'x", "x // y", "x /* y", r"\\<01"])
def test_the_configuration_can_be_read_afterwards(routers, config):
    """Text that would not end where the argument does, or would end before it, is refused."""
    router = routers(THROUGH.replace("x", "x :: Print(a)"))
    with pytest.raises(ClickError, match="isn't closed"):
        router.write("x.config", config)
    assert "x :: Print(a);" in router.read("flatconfig")


def test_the_flat_configuration_shows_what_handlers_have_set(routers):
    """Its arguments are those that handlers `config` show, as in Click."""
    router = routers(
        "FromDevice(eth0) -> sw :: Switch(1) -> Queue -> b :: BandwidthShaper(1000000) -> Unqueue -> Discard;"
        "sw[1] -> Discard;"
    )
    assert "b :: BandwidthShaper(8Mbps);" in router.read("flatconfig")
    router.write("sw.switch", "0")
    router.write("b.rate", "5Mbps")
    assert [line for line in router.read("flatconfig").splitlines() if line[:3] in ("sw ", "b :")] == [
        "sw :: Switch(0);", "b :: BandwidthShaper(5Mbps);", "sw [1] -> Discard@7;"
    ]  # fmt: skip


def test_other_entries_stand_where_the_new_code_looks_for_them(routers):
    """An ARPResponder answers by its new entries, fewer or more; its memory stays as it is."""
    router = routers("FromDevice(eth0) -> x :: ARPResponder(10.0.0.1 0:0:0:0:0:1, 10.0.0.2 0:0:0:0:0:2) -> Queue -> ToDevice(eth0);")

    def answered() -> dict[str, str]:
        router.send(*(bytes(Ether(type=0x0806) / Request(pdst=f"10.0.0.{host}", psrc="10.0.0.9")) for host in (1, 2, 3)))
        replies = (Request(frame[14:]) for frame in router.now.collect("eth0"))
        return {reply.psrc: reply.hwsrc[-1] for reply in replies}

    assert answered() == {"10.0.0.1": "1", "10.0.0.2": "2"}
    for config, hosts in (
        ("10.0.0.3 0:0:0:0:0:3", "  3"),
        ("10.0.0.2/31 0:0:0:0:0:4, 10.0.1.1 0:0:0:0:0:5, 10.0.0.1 0:0:0:0:0:6", "644"),
        ("10.0.0.1 0:0:0:0:0:7, 10.0.0.2 0:0:0:0:0:8", "78 "),
    ):
        router.write("x.config", config)
        assert answered() == {f"10.0.0.{host}": ether for host, ether in enumerate(hosts, 1) if ether != " "}, config
    with pytest.raises(ClickError, match="it has room for 34 entries"):
        router.write("x.config", ", ".join(f"10.0.0.{host} 0:0:0:0:0:1" for host in range(35)))


@pytest.mark.parametrize("table, keeper", [("", "x"), (", TABLE t", "t")])
def test_a_querier_with_another_address_uses_the_table_that_it_had(routers, table, keeper):
    router = routers(
        f"t :: ARPTable; FromDevice(eth0) -> SetIPAddress(10.0.0.9) -> x :: ARPQuerier(10.0.0.1/24, 2:0:0:0:0:1{table})"
        "-> Queue -> ToDevice(eth0); Idle -> [1]x;"
    )
    router.write("x.config", f"10.0.0.1/24, 2:0:0:0:0:2{table}")
    router.send(IP)
    (asked,) = map(Ether, router.now.collect("eth0"))
    assert (asked[Request].hwsrc, asked[Request].pdst, router.read(f"{keeper}.length")) == ("02:00:00:00:00:02", "10.0.0.9", "1")
    router.write(f"{keeper}.insert", "10.0.0.9 2:0:0:0:0:9")
    router.send(IP)
    sent = Ether(router.now.collect("eth0")[-1])
    assert (sent.src, sent.dst) == ("02:00:00:00:00:02", "02:00:00:00:00:09")


def test_a_mapper_of_ports_finds_the_rewriters_that_have_changed_places(routers):
    router = routers(
        "a, b :: TCPRewriter(pattern 1.0.0.1 1024-65535 - - 0 0);"
        "FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> x :: FTPPortMapper(b, a, 0) -> a -> b -> Queue -> ToDevice(eth0);"
    )
    command = Ether() / IPv4(src="10.0.0.2", dst="8.8.8.8") / TCP(sport=1025, dport=21, flags="PA") / b"PORT 10,0,0,2,4,2\r\n"
    router.send(bytes(command))
    router.write("x.config", "a, b, 0")
    router.send(bytes(command))
    before, after = (IPv4(frame)[TCP].load for frame in router.now.collect("eth0"))
    assert before == b"PORT 10,0,0,2,4,2\r\n" and after.startswith(b"PORT 1,0,0,1,")


@pytest.mark.parametrize(
    "config, says", [("12/0806", "need 2 arguments, one per output port"), ("12/zz, -", "value has less than 2 hex digits")]
)
def test_wrong_arguments_change_nothing(routers, config, says):
    router = routers(SORTED)
    with pytest.raises(ClickError, match=says):
        router.write("c.config", config)
    router.send(IP)
    assert (router.counts("ip", "other"), router.read("c.config")) == ([1, 0], "12/0800, -")


def test_what_click_does_not_reconfigure_is_read_only(routers):
    router = routers("FromDevice(eth0) -> x :: CheckLength(100) -> Discard;")
    assert "config\tr\n" in router.read("x.handlers")
    with pytest.raises(ClickError, match="no 'x.config' write handler"):
        router.write("x.config", "50")


FILTERED = "FromDevice(eth0) -> before :: Counter -> MarkIPHeader -> f :: IPFilter(allow all) -> after :: Counter -> Discard;"


def test_a_script_goes_on_after_its_write(routers):
    script = "s :: Script(TYPE PASSIVE, write f.config deny all, set n $(f.config), write f.config allow all, return $n);"
    router = routers(FILTERED + script)
    assert router.read("s.run") == "deny all"
    router.send(IP)
    assert router.counts("after") == [1]


def test_an_active_script_changes_what_runs(routers):
    """Its write comes from a thread of the runtime, in the midst of the router's own code."""
    router = routers(FILTERED + "Script(wait 1s, write f.config deny all, wait 1s, write before.reset);", clock=10**9)
    router.now.settle()
    router.send(IP)
    router.now.advance(15 * 10**8)
    router.send(IP)
    assert router.counts("before", "after") == [2, 1]
    router.now.advance(10**9)
    assert router.counts("before") == [0]


def test_arguments_that_are_calls_need_the_right_to_them(routers):
    handlers = routers("s :: InfiniteSource(LIMIT 0) -> p :: Paint(1) -> Discard;").now.handlers
    assert [handlers.writable(name, "config").write_needs for name in "sp"] == [Right.CALLS, None]


def test_the_configured_element_is_another_one_afterwards(routers):
    router = routers(SORTED)
    before, runs = router.now.checked.instances["c"], router.now.instances["c"]
    router.write("c.config", "12/0806, -")
    after = router.now.checked.instances["c"]
    assert (before.cfg.pattern, after.cfg.pattern, runs.cfg.pattern) == (("12/0800", "-"), ("12/0806", "-"), ("12/0806", "-"))
    assert router.now.instances["c"] is runs
    assert (before.state, before.runtime) == (None, None)


def test_the_library_stays(routers, monkeypatch):
    """Another version may be installed while a router runs; a process can't have two libraries."""
    router = routers(SORTED)
    before = router.now.native.library
    monkeypatch.setattr("clickbpf.build.host.build_library", lambda sanitize: pytest.fail("it was built"))
    router.write("c.config", "12/0806, -")
    assert router.now.native.library == before


@pytest.mark.whole
def test_a_hundred_changes_leave_no_code_behind(routers):
    router = routers(SORTED)
    for number in range(100):
        router.write("c.config", f"12/080{number % 2 * 6}, -")
    assert len(router.now._past) <= 1


def test_memory_does_not_grow(routers):
    router = routers("x :: ARPTable(ENTRY_CAPACITY 10); red :: RED(1, 2, 0.5, QUEUES a); a :: Queue; b :: Queue;"
                     "FromDevice(eth0) -> red -> a -> Unqueue -> b -> Discard;")  # fmt: skip
    with pytest.raises(ClickError, match="ENTRY_CAPACITY can't be changed while packets flow"):
        router.write("x.config", "ENTRY_CAPACITY 20")
    with pytest.raises(ClickError, match="the elements that it works with can't be changed"):
        router.write("red.config", "1, 2, 0.5, QUEUES b")
