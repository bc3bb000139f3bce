"""IPFilter: actions and rules; its patterns are IPClassifier's."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.vocabulary.library import Library

HTTP, DNS, PING = IP(src="10.0.0.9") / TCP(dport=80), IP(src="10.0.0.9") / UDP(dport=53), IP(src="10.0.0.9") / ICMP()


def program(rules: str, outputs: int = 1) -> str:
    """The program of an IPFilter."""
    ends = "".join(f"x[{port}] -> Discard;" for port in range(outputs))
    return check_text(f"x :: IPFilter({rules}); Idle -> x; {ends}", Library.standard()).instances["x"].read_program()


@pytest.mark.parametrize(
    ("rules", "outputs"),
    [
        ("allow tcp, deny udp, 1 icmp", {"http": 0, "dns": None, "ping": 1}),
        ("drop tcp, 1 udp, 0", {"http": None, "dns": 1, "ping": 0}),
        ("allow tcp && dst port 80, allow udp", {"http": 0, "dns": 0, "ping": None}),
        ("deny src 10.0.0.9, allow all", {"http": None, "dns": None, "ping": None}),
        ("0x1 tcp or udp, allow any", {"http": 1, "dns": 1, "ping": 0}),
        ('"allow udp", "deny -"', {"http": None, "dns": 0, "ping": None}),
        ("", {"http": None, "dns": None, "ping": None}),
    ],
    ids=["actions", "other words", "no rule matches", "the first rule counts", "numbers", "quotes", "no rules"],
)
def test_the_first_rule_that_matches_says_what_becomes_of_a_packet(element, rules, outputs):
    x = element(f"IPFilter({rules})", noutputs=2, headers="ip")
    for name, packet in (("http", HTTP), ("dns", DNS), ("ping", PING)):
        x.send(packet)
        if outputs[name] is not None:
            x.expect(outputs[name], packet)
        x.expect_nothing()
    assert x.dropped("FILTERED") == list(outputs.values()).count(None)


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        ("allow false", "all->[X]"),
        ("allow false, allow false, allow false, allow true", "all->[0]"),
        ("allow false, allow false, allow src 10.0.0.1", " 0 268/0a000001%ffffffff  yes->[0]  no->[X]"),
        ("", "all->[X]"),
        ("allow tcp && dst 10.0.0.0/32 && src 2.0.0.0/32, allow tcp && dst port 80 && src 2.0.0.0/32, allow all", "all->[0]"),
    ],
)
def test_edge_cases(rules, text):
    """Those of Click's tests of IPFilter."""
    assert program(rules).splitlines()[0] == text


def test_a_filter_of_services_needs_few_tests():
    """Click's test of optimisations: its program has six steps more than outcomes of ports and addresses. So has this."""
    rules = "0 udp dst port netbios-ns, 1 udp dst port 5353, 2 udp src port bootpc, 3 128.230.206.0/24, 4 -"
    assert len(program(rules, 5).splitlines()) == 7 + 2


RULES = "deny src net 10.0.0.0/8 and ip frag, allow tcp && src port > 1023 && ack, 1 icmp type echo or unreachable, 1 udp"
CASES = [Case(f"IPFilter({RULES})", noutputs=2, headers="ip-checked", packets=2000, mix=Mix(ports=(53, 80, 1024)))]


@pytest.mark.parametrize(
    "rules, hidden",
    [
        ("deny tcp, allow tcp dst port 80, allow udp", [1]),
        ("allow all, deny udp", [1]),
        ("allow tcp, deny udp, allow tcp or udp", [2]),
        ("allow icmp, deny tcp && udp", [1]),
        ("allow tcp, allow tcp dst port 80, deny udp, deny udp dst port 53, deny all", []),
    ],
    ids=["by one rule", "by all", "by two rules", "by itself", "the same is done"],
)
def test_rules_that_decide_about_nothing_are_warned_of(rules, hidden):
    warnings = check_text(f"x :: IPFilter({rules}); Idle -> x -> Discard;", Library.standard()).warnings
    useless = "IPFilter: rule {} takes no packets: rules before it leave none that it matches"
    assert [w.message for w in warnings] == [useless.format(n) for n in hidden]


def test_rules_in_other_languages_name_ours():
    """tcpdump's, nftables' and Linux's words."""
    wanted = {
        "allow tcp dport 80": "write 'dst port'",
        "allow icmp[icmptype] = icmp-echo": "write 'icmp type echo'",
        "allow 10.0.0.0/8 -> 192.168.0.0/16": "write 'src net 10.0.0.0/8 and dst net",
        "allow state established": "IPRewriter(keep 0 1, drop)",
        "allow arp": "'12/0806'",
        "allow tcp; deny all": "a comma ends a rule",
        "allow tcp dst port 80, 443": "'port 80 or port 443'",
        "allow host 10.0.0.0/24": "write 'net'",
        "permit tcp": "did you mean 'allow'?",
        "block tcp, allow all": "did you mean 'deny'?",
    }
    for rules, hint in wanted.items():
        with pytest.raises(ClickError) as raised:
            check_text(f"Idle -> IPFilter({rules}) -> Discard", Library.standard())
        assert hint in raised.value.diagnostics[0].hint


@pytest.mark.parametrize(
    "rules, column", [("deny tcp, allow all", 23), ("allow tcp, drop all", 34), ("1 tcp, deny all", None), ("allow tcp", None)]
)
def test_denied_packets_leave_by_no_output(rules, column):
    """As some expect of the second output."""
    warnings = check_text(f"Idle -> f :: IPFilter({rules}); f[0] -> Discard; f[1] -> Discard", Library.standard()).warnings
    said = "IPFilter: no rule sends packets to output 1: 'deny' and 'drop' send them nowhere"
    wanted = [] if column is None else [(column, said, "'1' in their place sends them there")]
    assert [(w.place.column, w.message, w.hint) for w in warnings] == wanted


MISTAKES = {
    ("IPFilter(tcp)", 2): ["IPFilter: pattern 0: unknown action 'tcp'"],
    ("IPFilter(allow tcp, 2 udp)", 2): ["IPFilter: pattern 1: there is no output 2"],
    ("IPFilter(-1 udp)", 2): ["IPFilter: pattern 0: there is no output -1"],
    ("IPFilter(allow tcp, , deny udp)", 2): ["IPFilter: pattern 1: the rule is empty"],
    ("IPFilter(allow ip ttl 256, permit udp)", 2): [
        "IPFilter: pattern 0: 'ip ttl': out of range, bound 255",
        "IPFilter: pattern 1: unknown action 'permit'",
    ],
    ("IPFilter(allow tcp)", 0): ["IPFilter: pattern 0: 'allow' is meaningless, element has zero outputs"],
}
