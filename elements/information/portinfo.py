from collections.abc import Iterator

from clickbpf.declare import ArgError, split_words, written_integer
from clickbpf.args.names import PROTOCOL, port

from ..common._entries import NamingElement

TCP, UDP = 6, 17


class PortInfo(NamingElement):
    """gives names to TCP and UDP ports

    Synopsis: `PortInfo(NAME PORT[/PROTOCOL] [NAME ...], ...)`

    Other elements' arguments may then give NAME for a port. A name is known in the compound element that contains the PortInfo, and
    in all compounds within. Other names are looked up in the IANA's registry, then in /etc/services.

    Arguments:

      - NAME PORT/PROTOCOL NAME ...: names and their port. PROTOCOL is tcp, udp, or another protocol's name; without it the names
        stand for TCP and UDP. A `#` begins a comment, so a line of /etc/services is valid. A port of an unknown protocol is
        ignored.

    Example:

        PortInfo(game 5678/udp, web 8080/tcp www-alt);
        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> c :: IPClassifier(dst udp port game, -);
        c[0] -> Discard;
        c[1] -> Discard;
    """

    def _define(self, text: str) -> Iterator[ArgError]:
        words = split_words(text.partition("#")[0])
        if not words:
            return
        number_text, slash, protocol_text = words[1].partition("/") if len(words) > 1 else ("", "", "")
        number = written_integer(number_text)
        if number is None or (slash and not protocol_text):
            yield ArgError("expected 'NAME PORT/PROTO'")
            return
        if not 0 <= number <= 0xFFFF:
            yield ArgError(f"no port has the number {number}", "ports are numbers from 0 to 65535")
            return
        for protocol in self._protocols(protocol_text) if slash else (TCP, UDP):
            for name in (words[0], *words[2:]):
                self._names.define(port(protocol), self.name, name, number)

    def _protocols(self, text: str) -> tuple[int, ...]:
        protocol = self._names.query(PROTOCOL, self.name, text)
        return () if protocol is None else (protocol,)
