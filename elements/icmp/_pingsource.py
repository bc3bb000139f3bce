"""The base of elements that send pings and time the replies. In C: pingsource.inc.h."""

import sys
from collections.abc import Iterable
from math import isqrt

from clickbpf.declare import (
    USER, ArgError, Bool, Bytes, Element, Integer, Keyword, Private, Time, field_handlers, read_handler, s64, sum_handler,
    u8, u32, u64, unparse_decimal, value_handlers, write_handler,
)

LIMIT, INTERVAL = Integer(32, signed=True), Time(3)

#: The classes' manual pages. `{ip}` is IP or IP6, as in the names of classes.
MANUAL = """sends {protocol} echo requests, and times the replies

    An echo request from SRC to DST leaves every INTERVAL, the first after one INTERVAL. {numbers} from 1 to 65535, and
    then from 1 again; the {hops} is 200. If packets are pulled from the element, every pull gets a request.

    Replies may be pushed into the element's input, with their IP header marked. They are counted and reported on standard error,
    and a summary is printed at the end, as by the program ping. Other packets there are dropped.{more}

    Example:

        ping :: {name}({addresses}, INTERVAL 0.2, LIMIT 5, STOP true)
            -> EtherEncap({ethertype}, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth0);
        FromDevice(eth0) -> Strip(14) -> Check{ip}Header -> ping;
    """


class PingSource(Element, ports="0-1/1", processing="h/a", runs=USER):
    """Base of elements that send pings: keywords, handlers, and all state except the addresses."""

    #: When the next packet leaves.
    operations = ("NOW", "LATER", "NEVER")
    #: The arguments after SRC and DST.
    KEYWORDS = (
        Keyword("INTERVAL", INTERVAL, 10**9, "time between requests. Default 1 s"),
        Keyword("IDENTIFIER", Integer(16), 0, "of requests, 0 to 65535. In ICMP it is sent in this machine's byte order, as by Click"),
        Keyword("DATA", Bytes(), b"", "the data after the header of requests. Default none"),
        Keyword("LIMIT", LIMIT, -1, "requests to send; no limit if negative"),
        Keyword("ACTIVE", Bool(), True, "false to send nothing at first"),
        Keyword("VERBOSE", Bool(), True, "false to print neither replies nor the summary"),
        Keyword("STOP", Bool(), False, "true to stop the driver when LIMIT is reached"),
        Keyword("MIRROR", Bool(), False, "true to turn each reply into the next request, regardless of LIMIT; for push outputs only"),
    )
    #: `sent` is when the request with a sequence number left; negative once it has been answered. Times are in microseconds, except
    #: `sent`, `due` and `interval`. Classes add their addresses, `src` and `dst`, to SOURCE.
    SOURCE = {"count": u64, "limit": s64, "due": u64, "interval": u64, "active": u8, "waiting": u8, "ended": u8}
    RECEIVER = Private(received=u32, duplicates=u32, least=u32, most=u32, total=u64, squares=u64, sent=s64 * 65536)
    #: The longest DATA in bytes.
    MOST = 65507
    derived = {"size": ("__u32", lambda self: len(self.cfg.data))}

    def configure(self) -> None:
        if len(self.cfg.data) > self.MOST:
            raise ArgError("more data than a packet has room for", f"{self.MOST} bytes at most", argument="DATA")

    def warnings(self) -> Iterable[ArgError]:
        if self.cfg.interval == 0:
            yield ArgError("INTERVAL so small that it is zero", argument="INTERVAL")

    def code(self) -> str:
        data = ", ".join(map(str, self.cfg.data or b"\0"))
        return f"static const __u8 SELF(payload)[] = {{ {data} }};\n"

    def initialise(self) -> None:
        super().initialise()
        self.state.source.limit, self.state.source.interval = self.cfg.limit, self.cfg.interval

    def finished(self) -> None:
        if self.ninputs and self.cfg.verbose:
            for line in self.summary_text().splitlines():
                sys.stderr.write(f"{self.name} :: {type(self).__name__}: {line}\n")

    def summary_text(self) -> str:
        """The summary in the form of the program ping."""
        count, seen = self.state.source.count, self.state.receiver
        answered = seen.received - seen.duplicates
        text = f"{count} packets transmitted, {answered} received"
        if seen.duplicates:
            text += f", +{seen.duplicates} duplicates"
        if count:
            text += f", {(count - answered) * 100 // count}% packet loss\n"
        if seen.received:
            mean = seen.total // seen.received
            deviation = isqrt(max(0, seen.squares // seen.received - mean * mean))
            times = "/".join(f"{time // 1000}.{time % 1000:03d}" for time in (seen.least, mean, seen.most, deviation))
            text += f"rtt min/avg/max/mdev = {times}\n"
        return text

    @read_handler("summary")
    def read_summary(self) -> str:
        """requests, replies, loss, and round trip times."""
        return self.summary_text()

    rtt_min = read_handler(lambda self: _time(self.state.receiver.least), text="the shortest round trip time, 0s before the first reply")
    rtt_avg = read_handler(
        lambda self: _time(self.state.receiver.total // max(1, self.state.receiver.received)), text="the average one"
    )
    rtt_max = read_handler(lambda self: _time(self.state.receiver.most), text="the longest one")
    count = sum_handler("source", text="requests sent")

    active = field_handlers("source", Bool(), "_activated")

    def _activated(self) -> None:
        self.notify("NOW" if self.state.source.active else "NEVER")

    def _set_limit(self, limit: int) -> None:
        self.state.source.limit = limit
        self._go_on()

    limit = value_handlers(LIMIT, None, _set_limit, text="LIMIT")
    interval = value_handlers(
        INTERVAL, None, lambda self, interval: setattr(self.state.source, "interval", interval), text="INTERVAL"
    )

    @write_handler
    def reset_counts(self, text: str) -> None:
        """sets all counters to zero."""
        self.state.source.count = 0
        self.state.receiver.clear()
        self._go_on()

    def _go_on(self) -> None:
        """Continue sending after the limit was reached."""
        source = self.state.source
        source.ended = False
        if source.active and (source.limit < 0 or source.count < source.limit):
            self.notify("LATER")


def _time(microseconds: int) -> str:
    """A round trip time in Click's form: below a millisecond in microseconds, otherwise in seconds."""
    return f"{microseconds}us" if 0 < microseconds < 1000 else f"{unparse_decimal(microseconds, 6)}s"
