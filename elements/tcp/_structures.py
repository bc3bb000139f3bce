"""Numbers shared by TCP's elements and their C."""

from enum import IntEnum

from clickbpf.declare import Private, c_enum, u64


class State(IntEnum):
    """States of a connection (RFC 9293, 3.3.2). LISTEN isn't one of them: TCPListen has no connection."""

    CLOSED, SYN_SENT, SYN_RECEIVED, ESTABLISHED, FIN_WAIT_1, FIN_WAIT_2, CLOSE_WAIT, CLOSING, LAST_ACK, TIME_WAIT = range(10)


class Timer(IntEnum):
    """A connection's timers: for retransmission and closed windows; for extensions; for the end of a state."""

    RETRANSMIT, DELAY, LINGER = range(3)


#: TCPConnections' counters, in the order of its handlers.
COUNTED = {
    "accepted": "established connections begun by others",
    "opened": "established connections begun by this side",
    "ended": "connections closed by both sides",
    "resets": "connections ended by a reset from the peer",
    "aborted": "connections ended for lack of replies or memory, or because their application couldn't continue",
    "silent": "those among the aborted ones that didn't answer keep-alive probes",
    "displaced": "connections, not yet established or over, that made room for others",
    "received": "bytes received in order",
    "sent": "bytes acknowledged",
    "segments": "segments sent",
    "retransmitted": "segments retransmitted",
    "challenges": "challenge acknowledgements, of segments that may be forged (RFC 5961)",
}
COUNTERS = Private(**dict.fromkeys(COUNTED, u64))


def numbers() -> str:
    """States with their names, timers, and the counters."""
    timers = {**{f"TIMER_{timer.name}": timer for timer in Timer}, "TIMERS": len(Timer)}
    names = ", ".join(f'"{state.name.replace("_", "-")}"' for state in State)
    return f"#define TCP_STATES {names}\n" + c_enum("TCP_", {**State.__members__, **timers}) + COUNTERS.c_structure("tcp_counters")


#: For all classes that use connections.
HEADERS = {"tcpnumbers.h": numbers}
