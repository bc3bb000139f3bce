from collections.abc import Sequence

from clickbpf.declare import (
    CHOOSES, MAY_BEAR_OFFLOADS, THREAD_SAFE, ArgError, Patterns, Raw, Rest, Self, expect_one_per_port, numbered_handlers, read_handler,
)
from clickbpf.classify import Program

from ._ipchanges import STATES, change, is_changed, patterns
from ._iprules import BASES, IPRules, Reader, unused_outputs
from ._rules import VECTORS, Rule


class IPClassifier(Patterns, IPRules, traits=MAY_BEAR_OFFLOADS | CHOOSES | THREAD_SAFE):
    """sorts IP packets by their headers

    Synopsis: `IPClassifier(PATTERN, ...)`

    Has an output for each pattern and sends a packet to that of the first one that matches; a packet that none matches is
    dropped. The packets' IP headers must be marked, by CheckIPHeader or MarkIPHeader.

    A pattern is made of directives:

      - `ip proto PROTOCOL`, or the protocol's name alone: `tcp`, `udp`, `icmp`, ...; `tcpudp` is TCP or UDP.
      - `[SIDE] host ADDRESS`, `[SIDE] net ADDRESS/LENGTH` or `net ADDRESS mask MASK`; the address alone will do. SIDE is
        `src`, `dst`, `src and dst` or `src or dst`, the default.
      - `[SIDE] [tcp | udp] port PORT`: of TCP and UDP if neither is given. A service's name alone will do (`www`). `portrange 80-90`
        is another word for `port 80-90`.
      - `icmp type TYPE`, a number or a name (`echo`, `unreachable`, ...).
      - `tcp opt FLAG`, or the flag alone: `syn`, `ack`, `fin`, `rst`, `psh`, `urg`. `tcp win SIZE`: the window. tcpdump's
        `tcp[tcpflags] & (tcp-syn|tcp-ack) == tcp-syn` is understood, too.
      - `ip vers N`, `ip hl N` (header length in words), `ip tos N`, `ip dscp N`, `ip len N`, `ip id N`, `ip ttl N`. For DSCP there
        are names: `ef`, `af11` to `af43`, `cs0` to `cs7`, `voice-admit`, `le`, `be`.
      - `ip ect`, `ip ce`: ECN: anything but "not capable", and "congestion experienced".
      - `ip frag`: fragments; `ip unfrag`: whole packets.
      - `ip[POS:LEN] N`, LEN bytes of the IP header from byte POS on, one if LEN is missing; they must not cross a multiple of
        four. `transp[POS:LEN] N` is the same for what the IP header carries, `tcp[...]`, `udp[...]`, ... if it is that.
      - `[SIDE] ether host ADDRESS`: an Ethernet address, if the packet's Ethernet header is known.
      - `ip multicast`, `ip6 multicast`, `ether multicast`, `ether broadcast`: packets to such a destination.
      - `true`, `false`; a pattern `-`, `any` or `all` matches every packet.

    Values may have `==` or `!=` in front; numbers also `<`, `>`, `<=` and `>=`. A number may be a range: `icmp type 13-18`. `& MASK` in
    front of that, or of the value, says which bits count: `ip tos & 0xe0 == 0xc0`, `src host & 255.255.0.0 10.1.0.0`. Directives are
    combined by `and` or `&&` (or nothing), `or` or `||`, `not` or `!`, `A ? B : C` with spaces around the colon, and parentheses. What a
    directive shares with the one before it can be left out: `src port 80 or 443`.

    IPv6: with a word about it in any pattern – `ip6`, `icmp6`, an IPv6 address – packets may be of both families, their headers
    marked by CheckIPHeader or CheckIP6Header. Directives then are true of packets of their own family, and ports, flags,
    protocols and what they carry of both; `ip tcp port 80` and `ip6 tcp port 80` are of one. Without such a word packets are
    treated as IPv4, as in Click. In addition to the above there are

      - `ip6`: packets of IPv6. `[SIDE] host 2001:db8::1`, `[SIDE] net 2001:db8::/32`, and the address alone; `ip6 host NAME` for an
        address that has a name.
      - `ip6 proto PROTOCOL`: the protocol at the end of the chain of extension headers; TCP, UDP and ICMPv6 are looked for
        there, too. Chains of more than 8 headers aren't followed.
      - `icmp6 type TYPE`, a number or a name (`echo`, `packettoobig`, `routeradvert`, `neighborsolicit`, ...).
      - `ip6 class N` or `ip6 tos N`, `ip6 dscp N`, `ip6 flow N`, `ip6 len N` (payload length), `ip6 hlim N` or `ip6 ttl N`,
        `ip6 ect`, `ip6 ce`, `ip6 frag`, `ip6 unfrag`, `ip6[POS:LEN] N`.

    Directives about ports, ICMP, TCP or `transp` are false of fragments but the first, and of other protocols, whatever
    their comparison: `src tcp port != 5` means `tcp and not src tcp port 5`. A directive is false of a packet that ends
    before the bytes it asks for; for `>` and the like these can be the upper ones alone, if they decide.

    All patterns are compiled into one decision graph, which tests nothing twice, and nothing whose result follows from
    earlier tests. A warning names outputs that no packet can take. More than 128 patterns are data instead, like IPFilter's
    rules; there are fewer such warnings then.

    Ports: one push input, as many push outputs as there are patterns.

    Handlers:

      - `pattern0`, `pattern1`, ... (read, write): the patterns. Code compiled for the kernel can't be changed: once a
        pattern is, the element runs in user space, more slowly, until all patterns are those of the configuration again.
        To change patterns for good, write all of them to the handler `config`.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> c :: IPClassifier(tcp dst port www or https, icmp type echo, src net 10.0.0.0/8 and not ip frag, -);
        c[0], c[1], c[2], c[3] => Discard, Discard, Discard, Discard;
    """

    args = (Rest("PATTERN", Raw()),)
    state_types = {**STATES, **VECTORS}
    holds = ()

    @staticmethod
    def pattern_of_both(one: str, other: str) -> str:
        return f"({one}) && ({other})"

    def configure(self) -> None:
        given = self.cfg.pattern
        expect_one_per_port(self, "output", given)
        reader = Reader("PATTERN", self.context, given)
        rules = self._rules(given, reader)
        reader.finish()
        self._doubts = reader.warnings
        self.compile(rules)

    def reconfigure(self, wanted: Self) -> None:
        self.state.vars.changed = 0
        for place in self.state.texts:
            place.given = 0
        super().reconfigure(wanted)

    def warnings(self) -> list[ArgError]:
        return self._doubts + unused_outputs(self.program, self.noutputs)

    def _rules(self, texts: Sequence[str], reader: Reader) -> list[Rule]:
        return [(reader.pattern(reader.words(text), number), number) for number, text in enumerate(texts)]

    @read_handler("program")
    def read_program(self) -> str:
        """the decision graph. Each line has a step's number, the offset, value and mask of four bytes to compare, and the next step, or
        output in brackets, for both results; `[X]` is a dropped packet, `short->yes` means that a packet too short for the test goes
        on as if it had held. Offsets from 256 on are those in the IP header, from 512 on in what it carries, below in the Ethernet
        header, plus two. For IPv6, 1024 is the header, 1280 the fragment header, 1536 the byte with the protocol at the end of the
        chain of headers, and 2048 the header of that protocol.
        """
        texts = patterns(self)
        program = Program(self._rules(texts, Reader("PATTERN", self.context, texts))) if is_changed(self) else self.program
        return program.listing(BASES)

    # -- a handler for each pattern ----------------------------------------------------------------------------------

    def read_pattern(self, number: int) -> str:
        return patterns(self)[number]

    def write_pattern(self, number: int, text: str) -> None:
        self.change(number, text.strip())

    pattern = numbered_handlers(lambda element: element.noutputs, read_pattern, write_pattern)

    def change(self, number: int, text: str) -> None:
        texts = patterns(self)
        texts[number] = text
        reader = Reader("PATTERN", self.context, texts)
        rules = self._rules(texts, reader)
        if reader.errors:
            raise reader.errors[0]
        change(self, texts, Program(rules))
