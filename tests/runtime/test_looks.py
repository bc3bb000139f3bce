"""Elements that only look at packets: the kernel path keeps the packets, the runtime sees what it has copied."""

import mmap
import re
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from tests.axes import axis
from tests.waiting import eventually

from clickbpf.load.path.kernelpath import load_kernel
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import HANDED, SENT, built
from clickbpf.testing.executors.source import Source
from clickbpf.testing.packets import IPV6, Mix, generate
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.stderr import Printed

pytestmark = pytest.mark.needs("root", "clang-19")

HOOKS = pytest.mark.parametrize("hook", axis("bpf", "tc"))
FRAME = bytes(range(60))
DATAGRAM = bytes(Ether(dst="02:00:00:00:00:01") / IP(src="10.0.0.1", dst="10.0.1.2") / UDP() / bytes(60))
ARP = Mix(contents=weights(arp=20, ipv4=1))


def line(*elements: str) -> str:
    return f"FromDevice(in) -> {' -> '.join(elements)} -> Queue -> ToDevice(out);"


@HOOKS
@pytest.mark.parametrize(
    ("text", "mix"),
    [
        (
            line("Print(a, 20, TIMESTAMP true, HEADROOM true, PRINTANNO true)", "Paint(7)", "Print(b, -1)", "Print(c, CONTENTS ASCII)"),
            Mix(),
        ),
        (line("Strip(14)", "Print(a, 3)", "Print(b, -1)", "Print(c, 0)", "Print(d, CONTENTS NONE)"), Mix()),
        (
            line("CheckIPHeader(14, VERBOSE true)", "IPPrint(a, ID true, TTL true)", "IPPrint(b, PAYLOAD hex, MAXLENGTH 30)", "Strip(14)")
            .replace("Queue", "IPPrint(c, CONTENTS ascii, MAXLENGTH -1) -> Queue -> IPPrint(d, PAYLOAD true)"),
            Mix(),
        ),
        (line("CheckARPHeader(14, VERBOSE true)", "Paint(1)", "ARPPrint(a, ETHER true)"), ARP),
        (line("CheckIP6Header(OFFSET 14, VERBOSE true)", "IP6Print(a, CONTENTS true, NBYTES 50, TIMESTAMP true)", "IP6Print(b)"), IPV6),
    ],
    ids=["Print", "Print of a part", "IPPrint", "ARPPrint", "IP6Print"],
)
def test_what_is_printed_is_the_same(text: str, mix: Mix, hook: str) -> None:
    assert_equivalent(text, 2000, executors=("native", hook), printed=True, mix=mix)


@HOOKS
def test_the_same_in_programs_of_their_own(hook: str) -> None:
    text = line("Paint(2)", "Print(a, PRINTANNO true)", "Strip(14)", "Print(b, TIMESTAMP true)")
    assert_equivalent(text, 300, executors=("native", hook), printed=True, chain=True)


@HOOKS
def test_a_packet_that_is_handed_over_was_seen_before(hook: str) -> None:
    """One packet's lines come in the order of its way, though its way goes from the kernel into user space."""
    text = line("Print(a, 14)", "CheckIPHeader(14, VERBOSE true)", "Print(b, 14)", "TimeRange", "Print(c, 14)")
    assert_equivalent(text, 500, executors=("native", hook), printed=True)


@HOOKS
def test_packets_stay_in_the_kernel(hook: str) -> None:
    with start(line("Print(a)", "c :: Counter"), hook) as router:
        assert router.run("in", FRAME)[0] == SENT


@pytest.fixture
def catching() -> Iterator[Printed]:
    printed = Printed()
    yield printed
    printed.close()


def records(router) -> int:
    """Bytes of records that the kernel has put into the ring so far: its producer's position."""
    fd, size = router.kernel.looks
    with mmap.mmap(fd, mmap.PAGESIZE + 2 * size, mmap.MAP_SHARED, mmap.PROT_READ, offset=mmap.PAGESIZE) as ring:
        return struct.unpack_from("=Q", ring, 0)[0]


def given_back(router) -> int:
    """How many of them the kernel has got back: the consumer's position, as it knows it."""
    with mmap.mmap(router.kernel.looks[0], mmap.PAGESIZE, mmap.MAP_SHARED, mmap.PROT_READ) as page:
        return struct.unpack_from("=Q", page, 0)[0]


def test_who_sleeps_says_how_far_it_has_come(catching: Printed) -> None:
    """While looks come it is one behind, so that the kernel doesn't wake it for each; then the kernel would find it awake for ever."""
    with start(line("Print(a)"), "bpf") as router:
        router.runtime.start()
        for _ in range(2):
            catching.during(lambda: (router.run("in", FRAME), eventually(lambda: given_back(router) == records(router))))
            assert given_back(router) == records(router)
            assert catching.text.count("\n") == 1


def test_a_reader_that_ends_leaves_nothing_for_the_next_one() -> None:
    with start(line("Print(a)"), "bpf") as router:
        router.run("in", FRAME)
        router.runtime.look()
        assert given_back(router) < records(router)
        router.runtime.close()
        assert given_back(router) == records(router)


def test_looks_of_two_configurations_on_one_ring_are_each_its_own(catching: Printed) -> None:
    printed = catching
    with start(line("Print(a)"), "bpf") as router:
        runtime, made = router.runtime, router.compilation

        def belong_to(hash: int) -> int:
            """From now on looks of that configuration are the runtime's; how many were of the one before."""
            printed.during(lambda: runtime.change_handovers(hash, made.annotations))
            return printed.text.count("\n")

        router.run("in", FRAME)
        assert belong_to(made.hash ^ 1) == 1
        router.run("in", FRAME)
        assert belong_to(made.hash) == 0, "it waits for whose it is"
        printed.during(runtime.look)
        assert printed.text.count("\n") == 1
        belong_to(made.hash ^ 1)
        router.run("in", FRAME)
        printed.during(runtime.look)
        assert printed.text == ""


@HOOKS
def test_the_time_of_a_look_is_when_the_packet_came_by(hook: str, catching: Printed) -> None:
    with start(line("Print(a, TIMESTAMP true)"), hook) as router:
        before = time.time()
        router.run("in", FRAME)
        after = time.time()
        time.sleep(0.02)
        catching.during(router.runtime.look)
    seen = float(re.match(r"a: (\d+\.\d+): ", catching.text)[1])
    assert before - 0.001 <= seen <= after + 0.001


@HOOKS
def test_nothing_is_copied_of_what_nobody_looks_at(hook: str) -> None:
    with start(line("p :: Print(a, ACTIVE false)", "MarkIPHeader(14)", "IPPrint(x, CHANNEL hidden)"), hook) as router:
        router.send("in", FRAME)
        assert records(router) == 0
        router.write("p.active", "true")
        router.send("in", FRAME)
        first = records(router)
        assert first > 0
        router.write("p.active", "false")
        router.send("in", FRAME)
        assert records(router) == first


@HOOKS
def test_only_what_is_looked_at_is_copied(hook: str) -> None:
    """A short look at a long packet takes little of the ring, a long one what it needs."""
    sizes = {}
    for length in (0, 24, 1000):
        with start(line(f"Print(a, {length})"), hook) as router:
            router.send("in", bytes(1400))
            sizes[length] = records(router)
    assert sizes[0] <= sizes[24] < 200 and 1000 < sizes[1000] < 1300


@HOOKS
def test_a_full_ring_is_counted_and_holds_nothing_up(hook: str, catching: Printed) -> None:
    printed = catching
    with start(line("p :: Print(a, -1)"), hook) as router:
        for _ in range(400):  # in the ring each of them takes 4 kB
            assert router.run("in", bytes(1400))[0] == SENT
        missed = router.drops()[("p", "MISSED_LOOK")]
        printed.during(router.runtime.look)
        assert 0 < missed < 400
        lines = printed.text.splitlines()
        assert sum(text.startswith("a: 1400 | 0000") for text in lines) == 400 - missed
        assert sum("MISSED_LOOK" in text for text in lines) == 1
        printed.during(lambda: router.send("in", FRAME))
        assert printed.text.startswith("a:   60 | 0001"), "there is room again"
        for _ in range(400):
            router.run("in", bytes(1400))
        printed.during(router.runtime.look)
        assert "MISSED_LOOK" not in printed.text, "it is said once"


def test_looks_go_round_the_ring(catching: Printed) -> None:
    """Records of all sizes come out as they went in, many times round the ring."""
    random, printed = Random(1), catching
    frames = [bytes([number % 256]) * random.randint(60, 1500) for number in range(3000)]
    with start(line("Print(a, -1)"), "bpf") as router:
        lines = []
        for number, frame in enumerate(frames):
            router.run("in", frame)
            if number % 50 == 49:
                printed.during(router.runtime.look)
                lines += printed.text.splitlines()
        assert records(router) > 2 * router.kernel.looks[1]
    assert lines == [f"a: {len(f):4} | " + " ".join(f[i : i + 4].hex() for i in range(0, len(f), 4)) for f in frames]


def written(text: Callable[[Path], str], hook: str, tmp_path: Path, packets: Iterable[bytes], last: bytes) -> bytes:
    """The runtime's file. The kernel path sends the same, and its file is the same, but for one more packet, which it keeps."""
    found = []
    for executor in ("native", hook):
        file = tmp_path / executor
        with start(text(file), executor, simtime=True) as router:
            sent = [router.send("in", packet) for packet in packets if len(packet) >= 60]
            if executor == hook:
                assert router.run("in", last)[0] != HANDED
        found.append((sent, file.read_bytes().replace(bytes(tmp_path), b"")))
    (native, in_runtime), (kernel, in_kernel) = found
    assert native == kernel
    assert in_kernel.startswith(in_runtime)
    return in_runtime


#: All fields of headers, with a payload's length; and the payload.
HEADERS = "timestamp eth_src ip_src sport ip_dst dport ip_proto ip_len ip_opt ip_capture_len tcp_seq tcp_opt icmp_seq payload_len wire_len"


@HOOKS
@pytest.mark.parametrize("onward", ["-> Queue -> ToDevice(out)", ""], ids=["in the middle", "at the end"])
@pytest.mark.parametrize(
    "dump",
    [
        "ToDump({file}, NANO true)",
        "ToDump({file}, SNAPLEN 40)",
        f"ToIPSummaryDump({{file}}, FIELDS {HEADERS}, BAD_PACKETS true)",
        "ToIPSummaryDump({file}, FIELDS ip_src payload_md5, BINARY true)",
    ],
    ids=["ToDump", "ToDump of a part", "ToIPSummaryDump", "ToIPSummaryDump of the payload"],
)
def test_dumps_are_the_same(dump: str, onward: str, hook: str, tmp_path: Path) -> None:
    def text(file: Path) -> str:
        return f"FromDevice(in) -> Strip(14) -> CheckIPHeader(VERBOSE true) -> {dump.format(file=file)} {onward};"

    assert len(written(text, hook, tmp_path, generate(400), DATAGRAM)) > 400


HEADERS6 = (
    "ip6_src ip6_len ip6_nxt ip6_proto ip6_fragoff ip6_id sport dport tcp_seq tcp_opt udp_len icmp6_type icmp6_seq payload_len wire_len"
)


@HOOKS
@pytest.mark.parametrize("check", ["CheckIP6Header", "MarkIP6Header", "MarkIPHeader"])
def test_dumps_of_ip6_are_the_same(check: str, hook: str, tmp_path: Path) -> None:
    """MarkIPHeader marks the wrong byte as the transport header: what isn't copied then is in no line of either executor."""
    packets = [*generate(2000, mix=IPV6), *chains()]

    def text(file: Path) -> str:
        return f"FromDevice(in) -> Strip(14) -> {check} -> ToIPSummaryDump({file}, FIELDS {HEADERS6}) -> Queue -> ToDevice(out);"

    assert len(written(text, hook, tmp_path, packets, packets[-1]).splitlines()) > 500


def chains() -> Iterator[bytes]:
    """TCP after extension headers of up to eight times 64 bytes."""
    for number in range(10):
        for length in (8, 24, 64):
            packet = Ether() / IPv6(nh=60 if number else 6)
            for left in range(number, 0, -1):
                packet /= bytes([60 if left > 1 else 6, length // 8 - 1, 1, length - 4]) + bytes(length - 4)
            yield bytes(packet / TCP(sport=number + 1, dport=length, options=[("MSS", 1400)]) / b"data")


@HOOKS
@pytest.mark.parametrize("arguments", ["ALL_TCP_OPT true, TCP_WINDOW true, IP_ID true", "BINARY true"], ids=["lines", "records"])
def test_files_of_flows_are_the_same(arguments: str, hook: str, tmp_path: Path) -> None:
    """An ICMP error's, too, which is of the flow of what it quotes."""
    found = []
    error = bytes(Ether(dst="02:00:00:00:00:01") / IP(dst="10.0.0.1") / ICMP(type=3, code=1)) + DATAGRAM[14:42]
    for executor in ("native", hook):
        way = f"CheckIPHeader -> AggregateIP(ip proto) -> ToIPFlowDumps({tmp_path}/{executor}/%n, {arguments})"
        with start(f"FromDevice(in) -> Strip(14) -> {way} -> Queue -> ToDevice(out);", executor, simtime=True) as router:
            sent = [router.send("in", packet) for packet in (*generate(600), error) if len(packet) >= 60]
            if executor == hook:
                assert router.run("in", FRAME)[0] != HANDED and router.kernel.looks
        found.append((sent, {path.name: path.read_bytes() for path in (tmp_path / executor).iterdir()}))
    assert found[0] == found[1]
    assert found[0][1].keys() == {"1", "6", "17"} and all(len(found[0][1][protocol]) > 1000 for protocol in ("6", "17"))


@HOOKS
def test_what_would_change_annotations_is_handed_over(hook: str) -> None:
    """ToIPSummaryDump takes note in an annotation of what Truncate cut off: then it does more than look."""
    text = "FromDevice(in) -> Strip(14) -> MarkIPHeader -> t :: Truncate({}) -> ToIPSummaryDump(/dev/null) -> Queue -> ToDevice(out);"
    with start(text.format(2000), hook) as router:
        assert router.run("in", DATAGRAM)[0] == SENT
    with start(text.format(40), hook) as router:
        assert router.run("in", DATAGRAM)[0] == HANDED


def test_what_two_programs_have_shown_at_the_same_time_is_seen_by_both() -> None:
    """While an element is given other arguments, programs of both configurations write to one ring, for two devices or on two CPUs."""
    text = "FromDevice(in) -> p :: Print({}, 2) -> Queue -> ToDevice(out);"
    other = Source(text.format("new")).compile()
    printed = Printed()
    with start(text.format("old"), "bpf") as router:
        content = built("#define TRACING\n" + other.bpf_text, other.manifest)
        with load_kernel(content, other.manifest, reuse=router.kernel) as path:
            (program,) = path.programs.values()
            for number in range(9):
                packet = bytes([number]) * 60
                if number % 3 == 1:
                    program.test_run(packet)
                else:
                    router.run("in", packet)
            printed.during(lambda: router.runtime.change_handovers(other.hash, other.annotations))
            before = printed.text
            printed.during(router.runtime.look)
    assert before == "".join(f"old:   60 | {number:02x}{number:02x}\n" for number in (0, 2, 3, 5, 6, 8))
    assert printed.text == "".join(f"old:   60 | {number:02x}{number:02x}\n" for number in (1, 4, 7))
    printed.close()


def test_what_was_seen_is_not_seen_again_when_the_arguments_are_the_same() -> None:
    printed = Printed()
    with start(line("p :: Print(a, 2)"), "bpf") as router:
        compilation = router.compilation
        for number in range(3):
            router.run("in", bytes([number]) * 60)
        printed.during(lambda: router.runtime.change_handovers(compilation.hash, compilation.annotations))
        assert printed.text.count("a:") == 3
        printed.during(router.runtime.look)
        assert printed.text == ""
    printed.close()
