"""IPClassifier's language: what it means, by the programs that patterns become, and the mistakes that it reports."""

import pytest

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.vocabulary.library import Library

from .compiled import program

# -- what is left out ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("src port 80 or 443", "src port 80 or src port 443"),
        ("dst host 10.0.0.1 or 10.0.0.2 and 10.0.0.0/8", "dst host 10.0.0.1 or (dst host 10.0.0.2 and dst net 10.0.0.0/8)"),
        ("tcp and www", "tcp and tcp port 80"),
        ("src port 80 and 10.0.0.1", "src port 80 and src host 10.0.0.1"),
        ("fin ack", "tcp opt fin and tcp opt ack"),
        ("icmp type 4 or unreachable", "icmp type 4 or icmp type 3"),
        ("ip ttl 5 or 6", "ip ttl == 5 or ip ttl == 6"),
        ("proto 6 or icmp", "ip proto tcp or ip proto icmp"),
        ("ether host 2:0:0:0:0:1 or 02-00-00-00-00-02", "ether host 02:00:00:00:00:01 or ether host 02:00:00:00:00:02"),
        ("src not port 5", "not src port 5"),
        ("! ! tcp", "tcp"),
        ("src dest port 5", None),
        ("ip ce or 5", "ip ce or ip tos 5"),
    ],
)
def test_what_is_left_out_is_as_before(short, long, refused):
    if long is None:
        assert "'src' or 'dst' is specified twice" in refused(f"IPClassifier({short})")
    else:
        assert program(short) == program(long)


@pytest.mark.parametrize(
    ("pattern", "other"),
    [
        ("tcp or udp and syn", "tcp or (udp and syn)"),
        ("not tcp or udp", "(not tcp) or udp"),
        ("tcp ? src port 5 : udp ? true : icmp", "tcp ? src port 5 : (udp ? true : icmp)"),
        ("tcp ? udp ? true : false : icmp", "tcp ? (udp ? true : false) : icmp"),
        ("tcp or udp ? syn : icmp", "(tcp or udp) ? syn : icmp"),
        ("ip ttl>5&&!syn", "ip ttl > 5 and not syn"),
        ("ip [ 0 : 4 ] 5", "ip[0:4] == 5"),
        ("ip[0x4:0x2] 5", "ip id 5"),
        ('"ip[4,5] 5"', "ip id 5"),
        ("\"tcp or udp\"", "tcp or udp"),
        ("any", "-"),
        ("all", "-"),
        ("ip proto 256", "tcpudp"),
        ("port & 0xffff 5", "port 5"),
    ],
)
def test_grammar(pattern, other):
    assert program(pattern) == program(other)


def test_names():
    declarations = "AddressInfo(gate 10.0.0.1/24 02:00:00:00:00:01); PortInfo(game 5678/udp);"
    for short, long in (
        ("dst gate", "dst host 10.0.0.1"),
        ("src net gate", "src net 10.0.0.0/24"),
        ("ether host gate", "ether host 02:00:00:00:00:01"),
        ("dst game", "dst port 5678"),
        ("udp game or 5679", "udp port 5678 or udp port 5679"),
    ):
        assert program(short, declarations=declarations) == program(long)


# -- the program -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("patterns", "outputs", "text"),
    [
        (
            # Click's test of Ethernet addresses, for one of them.
            "src 0:1:2:3:4:5",
            1,
            " 0   8/00010203%ffffffff  yes->step 1  no->[X]\n"
            " 1  12/04050000%ffff0000  yes->[0]  no->[X]\n"
            "safe length 14\n"
            "alignment offset 0\n",
        ),
        (
            "icmp type 4 or 5",
            1,
            " 0 260/00000000%00001fff  yes->step 1  no->[X]\n"
            " 1 264/00010000%00ff0000  yes->step 2  no->[X]\n"
            " 2 512/04000000%fe000000  yes->[0]  no->[X]\n"
            "safe length 513\n"
            "alignment offset 0\n",
        ),
        (
            "ip frag, -",
            2,
            " 0 260/00000000%00003fff  yes->[1]  no->[0]  short->yes\nsafe length 264\nalignment offset 0\n",
        ),
        ("src port www and src port ftp, -", 2, "all->[1]\nsafe length 0\nalignment offset 0\n"),
    ],
)
def test_programs(patterns, outputs, text):
    assert program(patterns, outputs) == text


@pytest.mark.parametrize(("patterns", "unused"), [("tcp, tcp port 80, -", [1]), ("ip ttl > 255, -", [0]), ("tcp, -", [])])
def test_outputs_that_no_packet_takes(patterns, unused):
    count = patterns.count(",") + 1
    ends = "".join(f"x[{port}] -> Discard;" for port in range(count))
    x = check_text(f"x :: IPClassifier({patterns}); Idle -> x; {ends}", Library.standard()).instances["x"]
    told = [warning.message for warning in x.warnings()]
    assert [text for text in told if "matches no" in text] == [f"output {number} matches no packets" for number in unused]
    assert ("pattern 0: 'ip ttl > 255' is always false" in told) == ("255" in patterns)


def test_a_check_of_the_fragment_for_all_ports():
    """A packet is asked once what ten patterns want to know: protocol, fragment, and then its port in a switch."""
    patterns = ", ".join(f"dst tcp port {number}" for number in range(80, 100, 2))
    tests = program(patterns, 10).splitlines()[:-2]
    assert len(tests) == 12


# -- mistakes --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("foo", "'foo' is not a word of the pattern language, an address or a name"),
        ("dst prot 5", "'prot' is not a word of the pattern language, an address or a name"),
        ("tcp or or udp", "'or' is out of place"),
        ("tcp and", "an expression is missing at the end"),
        ("not", "missing expression after 'not'"),
        ('"(tcp"', "missing ')'"),
        ('"tcp) or udp"', "')' has no place after a whole expression"),
        ("tcp ? udp", "missing ':' in ternary expression"),
        ("port ==", "a value is missing after '=='"),
        ("src", "the directive is not complete"),
        ("5", "a number of what?"),
        ("tcp 80", "a number of what?"),
        ("net 10.0.0.1", "'ip net': address missing"),
        ("host 10.0.0.0/8", "'ip host' takes an address, and this is a network"),
        ("host > 10.0.0.1", "'ip host': addresses have no order"),
        ("src host & 255 10.0.0.1", "'ip host': the mask is no IP address"),
        ("ip ttl 256", "'ip ttl': out of range, bound 255"),
        ("ip ttl & 256 5", "'ip ttl': mask out of range, bound 0xFF"),
        ("ip ttl & 0 5", "the mask '0' is out of range"),
        ("port 65536", "'port': out of range, bound 65535"),
        ("port 10.0.0.1", "'port': value missing"),
        ("gre port 5", "'port': protocol 47 has no ports"),
        ("tcp udp", "the transport protocol is specified twice"),
        ("tcp proto 17", "'ip proto': specified twice"),
        ("host port 5", "it says twice what it is about"),
        ("echo", "'echo' is ambiguous"),
        ("host 10.0.0.256", "'10.0.0.256' is not an IP address, nor the name of one"),
        ("host dns", "'dns' means nothing to 'ip host'"),
        ("tcp opt > syn", "'tcp opt': operator or mask not supported"),
        ("udp opt 5", "'tcp opt': only TCP has these options"),
        ("tcp opt 256", "'tcp opt': value 256 out of range"),
        ("ip frag 5", "'ip frag': value not supported"),
        ("ether host 10.0.0.1", "'10.0.0.1' is not a word of the pattern language, an address or a name"),
        ("ether port 5", "'port' is not of Ethernet"),
        ("ip[3:2] 5", "field [3:2] does not fit in a single word"),
        ("ip[0:5] 5", "the length in '[POS:LEN]' is out of range"),
        ("ip[-1] 5", "the position in '[POS:LEN]' is out of range"),
        ("ip[x] 5", "syntax error after '['"),
        ('"ip[0 5"', "missing ']'"),
        ("transp", "all packets carry something"),
        ("ip ttl 5; udp", "';' has no place after a whole expression"),
        ('"' + "(" * 99 + "tcp" + ")" * 99 + '"', "too many expressions within each other"),
    ],
)
def test_bad_patterns(refused, pattern, said):
    assert refused(f"IPClassifier({pattern})") == f"IPClassifier: pattern 0: {said}"


def test_mistakes_of_all_patterns_are_told_at_their_places(refusal_places):
    text = "Idle -> x :: IPClassifier(tcp port 99999 and host 5, -, udp prot 5); x[0], x[1], x[2] => Discard, Discard, Discard;"
    found = refusal_places(text)
    assert [text[place:].split()[0] for place in found] == ["tcp", "host", "prot"]


@pytest.mark.parametrize(
    ("pattern", "instead"),
    [
        ("host mail", "'mail:ip'"),
        ("greater 100", "'ip len >= 100'"),
        ("multicast", "'ip multicast'"),
        ("ip broadcast", "'dst host 255.255.255.255'"),
        ("tcp[tcpflag] & 2 != 0", "'tcp[tcpflags]'"),
        ("tcp[tcpflags] & (tcp-syn|tcp-sin) != 0", "tcp-syn"),
        ("ip ttl 5-3", "both from 0 to 255"),
        ("ip ttl > 3-5", "'ip ttl 3-5'"),
        ("src host", "'host:ip'"),
        ("dst net & 255.0.0.0", "'net:ipnet'"),
        ("-p tcp", "'tcp dst port 80'"),
    ],
)
def test_mistakes_have_the_right_form_for_a_hint(pattern, instead):
    names = "AddressInfo(host 10.0.0.1, net 10.0.0.0/8, mail 10.0.0.2)"
    with pytest.raises(ClickError) as caught:
        check_text(f"{names}; Idle -> IPClassifier({pattern}) -> Discard", Library.standard())
    assert instead in caught.value.diagnostics[0].hint


# -- what tcpdump has, too (pcap-filter(7)), and names of code points ----------------------------------------------------------


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("src portrange 80-90", "src port >= 80 and src port <= 90"),
        ("tcp portrange 80-90", "(tcp src port >= 80 and tcp src port <= 90) or (tcp dst port >= 80 and tcp dst port <= 90)"),
        ("dst port 80-90 or 100", "(dst port >= 80 and dst port <= 90) or dst port 100"),
        ("src port != 80-90", "src port < 80 or src port > 90"),
        ("icmp type 13-18", "icmp type >= 13 and icmp type <= 18"),
        ("ip proto 0-255", "true"),
        ("ip multicast", "dst net 224.0.0.0/4"),
        ("ip6 multicast", "dst net ff00::/8"),
        ("ether broadcast", "ether dst host ff:ff:ff:ff:ff:ff"),
        ("ether multicast", "ether dst host & 01:00:00:00:00:00 == 01:00:00:00:00:00"),
        ("tcp[tcpflags] & tcp-syn != 0", "tcp[13] & 2 != 0"),
        ("tcp[tcpflags] & (tcp-syn|tcp-ack) == (tcp-syn|tcp-ack)", "tcp[13] & 0x12 == 0x12"),
        ("icmp[icmptype] == 8", "icmp type echo"),
        ("ip dscp ef or af11", "ip dscp 46 or ip dscp 10"),
        ("ip6 dscp cs6", "ip6 dscp 48"),
    ],
)
def test_what_tcpdump_has(short, long):
    assert program(short) == program(long)


def test_an_address_may_have_the_name_of_a_group():
    """Its user may have named it before there were groups."""
    assert program("ip multicast", declarations="AddressInfo(multicast 10.0.0.1);") == program("ip host 10.0.0.1")


MISTAKES = {
    "IPClassifier(tcp, -)": ["IPClassifier: output 1 is not connected: each of the 2 arguments has an output port"],
    "IPClassifier(src net 10.0.0.0/33)": "at most 32",
    "IPClassifier(src 2001:db8::/129)": "not an IPv6 prefix",
}
