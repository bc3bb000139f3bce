"""PortInfo: names for ports, as in /etc/services."""

from clickbpf.args.names import port
from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library

TCP, UDP, SCTP = port(6), port(17), port(132)


def names(text: str):
    """The names that a router knows."""
    checked = check_text(text + "; end :: Message(end)", Library.standard())
    return checked.instances["end"].context.names


def test_a_name_is_good_for_tcp_and_udp_unless_it_says_which():
    known = names("PortInfo(game 5678, tftpish 0x45/udp, web 8080/tcp, assoc 9/sctp)")
    assert [known.query(kind, "", "game") for kind in (TCP, UDP, SCTP)] == [5678, 5678, None]
    assert [known.query(kind, "", "tftpish") for kind in (TCP, UDP)] == [None, 0x45]
    assert [known.query(kind, "", "web") for kind in (TCP, UDP)] == [8080, None]
    assert known.query(SCTP, "", "assoc") == 9


def test_lines_of_etc_services_will_do():
    known = names("PortInfo(zork 7777/tcp mud adventure # with a lamp, # nothing, , odd 5/nosuchprotocol)")
    words = ("zork", "mud", "adventure", "with", "lamp", "odd")
    assert [known.query(TCP, "", name) for name in words] == [7777, 7777, 7777, None, None, None]


def test_names_are_local_to_the_compound():
    known = names("c :: { PortInfo(inner 1); Idle -> Discard; }; PortInfo(outer 2)")
    assert [known.query(TCP, scope, "inner") for scope in ("x", "c/x", "c/d/x")] == [None, 1, 1]
    assert [known.query(TCP, scope, "outer") for scope in ("x", "c/x")] == [2, 2]


def test_mistakes(refused_router):
    assert refused_router("PortInfo(foo, bar x, ok 1, baz 1/);").splitlines() == ["PortInfo: expected 'NAME PORT/PROTO'"] * 3
    assert "65536" in refused_router("PortInfo(foo 65536);")
