"""Numbers that TCP's elements and their C have in common."""

from enum import IntEnum

from clickbpf.declare import Private, c_enum, u64


class State(IntEnum):
    """States of a connection (RFC 9293, 3.3.2). LISTEN is no connection's, but TCPListen's."""

    CLOSED, SYN_SENT, SYN_RECEIVED, ESTABLISHED, FIN_WAIT_1, FIN_WAIT_2, CLOSE_WAIT, CLOSING, LAST_ACK, TIME_WAIT = range(10)


class Timer(IntEnum):
    """A connection's timers: for what is unacknowledged, or a closed window; of the extensions; for the end of a state."""

    RETRANSMIT, DELAY, LINGER = range(3)


#: What TCPConnections counts, in the order of its handlers.
COUNTED = {
    "accepted": "connections that others began, and that were established",
    "opened": "connections that this side began, and that were established",
    "ended": "connections that ended because both sides had closed them",
    "resets": "connections that ended by a reset from the other side",
    "aborted": "connections that ended for lack of answers or memory, or because their application couldn't go on",
    "silent": "those of them that didn't answer keep-alive probes",
    "displaced": "connections that weren't established, or were over, and made room for others",
    "received": "bytes that were received in order",
    "sent": "bytes that were acknowledged",
    "segments": "segments that were sent",
    "retransmitted": "segments that were sent again",
    "challenges": "acknowledgements of segments that may be forged (RFC 5961)",
}


def numbers() -> str:
    """States, timers and sizes, and the counters."""
    timers = {**{f"TIMER_{timer.name}": timer for timer in Timer}, "TIMERS": len(Timer)}
    counters = Private(**dict.fromkeys(COUNTED, u64)).c_structure("tcp_counters")
    return c_enum("TCP_", {**State.__members__, **timers}) + counters


#: For all classes that have to do with connections.
HEADERS = {"tcpnumbers.h": numbers}
