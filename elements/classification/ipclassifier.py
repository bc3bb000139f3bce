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

    There is an output for each pattern. A packet leaves by the output of the first pattern that matches; if none matches, it is
    dropped. The packets' IP headers must be marked, by CheckIPHeader or MarkIPHeader.

    A pattern is made of directives:

      - `ip proto PROTOCOL`, or the protocol's name alone: `tcp`, `udp`, `icmp`, ...; `tcpudp` is TCP or UDP.
      - `[SIDE] host ADDRESS`, `[SIDE] net ADDRESS/LENGTH` or `net ADDRESS mask MASK`, or the address alone. SIDE is `src`, `dst`,
        `src and dst` or `src or dst`, the default.
      - `[SIDE] [tcp | udp] port PORT`: by default of TCP or UDP. A service's name may be given alone (`www`). `portrange 80-90` is
        the same as `port 80-90`.
      - `icmp type TYPE`, a number or a name (`echo`, `unreachable`, ...).
      - `tcp opt FLAG`, or the flag alone: `syn`, `ack`, `fin`, `rst`, `psh`, `urg`. `tcp win SIZE`: the window. tcpdump's
        `tcp[tcpflags] & (tcp-syn|tcp-ack) == tcp-syn` is understood, too.
      - `ip vers N`, `ip hl N` (header length in words), `ip tos N`, `ip dscp N`, `ip len N`, `ip id N`, `ip ttl N`. DSCP has names:
        `ef`, `af11` to `af43`, `cs0` to `cs7`, `voice-admit`, `le`, `be`.
      - `ip ect`, `ip ce`: for ECN, anything but "not capable", and "congestion experienced".
      - `ip frag`: fragments; `ip unfrag`: whole packets.
      - `ip[POS:LEN] N`: LEN bytes, by default one, of the IP header from byte POS on; they must not cross a multiple of four.
        `transp[POS:LEN] N` is the same for the transport header, `tcp[...]`, `udp[...]`, ... for the header of that protocol.
      - `[SIDE] ether host ADDRESS`: an Ethernet address, if the packet's Ethernet header is marked.
      - `ip multicast`, `ip6 multicast`, `ether multicast`, `ether broadcast`: the type of the destination address.
      - `true`, `false`; a pattern `-`, `any` or `all` matches every packet.

    Values may have `==` or `!=` in front; numbers also `<`, `>`, `<=` and `>=`. A number may be a range: `icmp type 13-18`. `&
    MASK` in front of the operator, or of the value, selects the bits to compare: `ip tos & 0xe0 == 0xc0`, `src host & 255.255.0.0
    10.1.0.0`. Directives are combined by `and` or `&&` (or nothing), `or` or `||`, `not` or `!`, `A ? B : C` with spaces around the
    colon, and parentheses. Words that a directive shares with the one before it can be left out: `src port 80 or 443`.

    IPv6: with a word about it in any pattern – `ip6`, `icmp6`, an IPv6 address – packets may be of both families, with headers
    marked by CheckIPHeader or CheckIP6Header. Directives then match only packets of their own family, except that ports, flags,
    protocols and transport headers match in both; `ip tcp port 80` and `ip6 tcp port 80` match in one. Without such a word packets
    are treated as IPv4, as in Click. Further directives are

      - `ip6`: IPv6 packets. `[SIDE] host 2001:db8::1`, `[SIDE] net 2001:db8::/32`, or the address alone; `ip6 host NAME` for the
        name of an address.
      - `ip6 proto PROTOCOL`: the protocol at the end of the chain of extension headers, where TCP, UDP and ICMPv6 are found as
        well. Chains of more than 8 headers aren't followed.
      - `icmp6 type TYPE`, a number or a name (`echo`, `packettoobig`, `routeradvert`, `neighborsolicit`, ...).
      - `ip6 class N` or `ip6 tos N`, `ip6 dscp N`, `ip6 flow N`, `ip6 len N` (payload length), `ip6 hlim N` or `ip6 ttl N`,
        `ip6 ect`, `ip6 ce`, `ip6 frag`, `ip6 unfrag`, `ip6[POS:LEN] N`.

    Directives about ports, ICMP, TCP or `transp` don't match later fragments or other protocols, whatever the comparison: `src tcp
    port != 5` means `tcp and not src tcp port 5`. A directive doesn't match a packet that ends before the bytes to test; for `>`
    and the like, the upper bytes may suffice.

    All patterns are compiled into one decision graph, without redundant tests. A warning names outputs that no packet can take.
    More than 128 patterns become data instead, like IPFilter's rules, with fewer such warnings.

    Ports: one push input, as many push outputs as there are patterns.

    Handlers:

      - `pattern0`, `pattern1`, ... (read, write): the patterns. Writing one doesn't recompile the kernel path: the element then
        runs in user space, more slowly, until all patterns are those of the configuration again. To change patterns for good, write
        all of them to the handler `config`.

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
        self._warnings = reader.warnings
        self.compile(rules)

    def reconfigure(self, wanted: Self) -> None:
        self.state.vars.changed = 0
        for place in self.state.texts:
            place.given = 0
        super().reconfigure(wanted)

    def warnings(self) -> list[ArgError]:
        return self._warnings + unused_outputs(self.program, self.noutputs)

    def _rules(self, texts: Sequence[str], reader: Reader) -> list[Rule]:
        return [(reader.pattern(reader.words(text), number), number) for number, text in enumerate(texts)]

    @read_handler("program")
    def read_program(self) -> str:
        """the decision graph. Each line has a step's number, the offset, value and mask of four bytes to compare, and the next step, or
        output in brackets, for both results; `[X]` is a dropped packet, `short->yes` means that a packet too short for the test
        continues as if it had held. Offsets from 256 on are in the IP header, from 512 on in the transport header, below 256 in the
        Ethernet header, plus two. For IPv6, 1024 is the header, 1280 the fragment header, 1536 the byte with the protocol at the
        end of the chain of headers, and 2048 the header of that protocol.
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
