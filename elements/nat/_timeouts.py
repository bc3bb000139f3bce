"""Timeouts in rewriters' arguments."""

from types import SimpleNamespace

from clickbpf.declare import SAME, Keyword

from ._rewriter import SECOND, SECONDS

MINUTE = 60 * SECOND
#: How long a connection that was opened from outside waits for the host's answer (RFC 6146, 3.5.2.2 and 4: TCP_INCOMING_SYN).
INCOMING_SYN = 6 * SECOND

TCP_ARGS = (
    Keyword("TCP_TIMEOUT", SECONDS, text="how long TCP flows with data in both directions stay without packets. Default 24 hours"),
    Keyword("TIMEOUT", SECONDS, text=SAME),
    Keyword("TCP_DONE_TIMEOUT", SECONDS, 4 * MINUTE, "how long closed TCP flows stay, after FIN in both directions or RST. Default 4 "
        "minutes"),
    Keyword("TCP_NODATA_TIMEOUT", SECONDS, 5 * MINUTE, "how long TCP flows without data in both directions stay. Default 5 minutes"),
    Keyword("TCP_GUARANTEE", SECONDS, text="how long a TCP flow can't be replaced after a packet. Default 5 seconds"),
    Keyword("GUARANTEE", SECONDS, text=SAME),
)
UDP_ARGS = (
    Keyword("UDP_TIMEOUT", SECONDS, text="how long UDP flows stay without packets. Default 5 minutes"),
    Keyword("UDP_STREAMING_TIMEOUT", SECONDS, text="the same after three packets, with a reply among them. Default UDP_TIMEOUT"),
    Keyword("UDP_GUARANTEE", SECONDS, text="how long a UDP flow can't be replaced after a packet. Default 5 seconds"),
)
PLAIN_ARGS = (
    Keyword("TIMEOUT", SECONDS, text="how long flows stay without packets. Default 2 hours"),
    Keyword("GUARANTEE", SECONDS, text="how long a flow can't be replaced after a packet. Default 5 seconds"),
)


def first(cfg: SimpleNamespace, names: tuple[str, ...], default: int) -> int:
    """The first of some arguments that is given."""
    return next((value for name in names if (value := getattr(cfg, name, None)) is not None), default)


def tcp_times(cfg: SimpleNamespace) -> dict[str, int]:
    return {
        "tcp_nodata": cfg.tcp_nodata_timeout,
        "tcp_data": first(cfg, ("tcp_timeout", "timeout"), 24 * 60 * MINUTE),
        "tcp_done": cfg.tcp_done_timeout,
        "tcp_unanswered": min(INCOMING_SYN, cfg.tcp_nodata_timeout),
        "tcp_guarantee": first(cfg, ("guarantee", "tcp_guarantee"), 5 * SECOND),
    }


def plain_times(cfg: SimpleNamespace, timeout: tuple[str, ...], streaming: tuple[str, ...], guarantee: tuple[str, ...]) -> dict[str, int]:
    """Timeouts of protocols other than TCP, by the names of the arguments."""
    plain = first(cfg, timeout, 5 * MINUTE)
    return {
        "plain": plain,
        "streaming": first(cfg, streaming, plain),
        "plain_guarantee": first(cfg, guarantee, 5 * SECOND),
    }


def address_times(cfg: SimpleNamespace) -> dict[str, int]:
    """Timeouts of rewriters of addresses only."""
    times = plain_times(cfg, ("timeout",), (), ("guarantee",))
    return times | dict.fromkeys(("plain", "streaming"), first(cfg, ("timeout",), 120 * MINUTE))
