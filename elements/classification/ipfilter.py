from collections.abc import Iterator

from clickbpf.declare import CHOOSES, MAY_BEAR_OFFLOADS, THREAD_SAFE, ArgError, Raw, Rest, written_integer
from clickbpf.classify import FALSE, Not, Program
from clickbpf.nearest import instead

from ._iprules import IPRules, Reader
from ._ipwords import Word
from ._rules import Rule

#: An output that no packet takes.
OTHERS = -1

#: What the rules of other filters call the actions.
_ELSEWHERE = {"permit": "allow", "accept": "allow", "pass": "allow", "reject": "deny", "block": "deny"}

#: After a rule with the number of an output that isn't there.
_NO_OUTPUT = "outputs have numbers below {}; a comma ends a rule: of two ports write 'port 80 or port 443'"


class IPFilter(IPRules, traits=MAY_BEAR_OFFLOADS | CHOOSES | THREAD_SAFE):
    """filters IP packets by rules

    Synopsis: `IPFilter(ACTION PATTERN, ...)`

    The first rule whose PATTERN matches a packet decides: ACTION is `allow`, which is output 0, the number of an output, or `deny`
    or `drop`. If no rule matches, the packet is dropped. A rule without PATTERN matches every packet.

    Patterns, and the annotations that they need, are those of IPClassifier. All rules are compiled into one decision graph, without
    redundant tests. More than 128 rules become data instead: bit vectors, with which thousands of rules take hardly longer than
    hundreds.

    The packets' IP headers must be marked, by CheckIPHeader or MarkIPHeader. New rules can be written to the handler `config` while
    packets flow. Rules that are code are recompiled. Rules that are data are only written to memory, which has room for at least an
    eighth more; they must test the same fields.

    Example: outside access to a mail server:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> IPFilter(deny src net 10.0.0.0/8,
                        allow dst 192.0.2.25 && tcp dst port smtp or imaps,
                        allow dst 192.0.2.25 && tcp src port smtp && dst port > 1023 && ack,
                        allow icmp type echo or unreachable,
                        deny all)
            -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    args = (Rest("RULE", Raw()),)

    def configure(self) -> None:
        reader = Reader("RULE", self.context, self.cfg.rule)
        rules = [self._rule(text, number, reader) for number, text in enumerate(self.cfg.rule)]
        reader.finish()
        self._warnings = reader.warnings
        self.compile(rules)

    def warnings(self) -> list[ArgError]:
        message, hint = "rule {} takes no packets: rules before it leave none that it matches", "put it before them"
        hidden = () if self.program.vectors else self._hidden()
        useless = [ArgError(message.format(n), hint, argument="RULE", index=n, in_click="") for n in hidden]
        return self._warnings + useless + self._unused()

    def _unused(self) -> list[ArgError]:
        """A warning if packets that rules drop may be expected at the last output."""
        outputs, last = [output for _, output in self._given], self.noutputs - 1
        if last < 1 or last in outputs or None not in outputs:
            return []
        message = f"no rule sends packets to output {last}: 'deny' and 'drop' send them nowhere"
        return [ArgError(message, f"'{last}' in their place sends them there", argument="RULE", index=outputs.index(None), in_click="")]

    def _hidden(self) -> Iterator[int]:
        """The rules that never decide, unless earlier rules have the same effect on all packets that they match."""
        met = Program([(pattern, number) for number, (pattern, _) in enumerate(self._given)]).outputs()
        for number, (pattern, output) in enumerate(self._given):
            if number not in met and Program([(Not(pattern), OTHERS), *self._given[:number]]).outputs() - {OTHERS} != {output}:
                yield number

    def _rule(self, text: str, number: int, reader: Reader) -> Rule:
        words = reader.words(text)
        action, output = words.take(), None
        try:
            output = self._output(action)
        except ArgError as error:
            reader.wrong(error, number)
        return reader.pattern(words, number) if action else FALSE, output

    def _output(self, action: Word) -> int | None:
        if action in ("deny", "drop"):
            return None
        if action == "allow" and not self.noutputs:
            raise ArgError("'allow' is meaningless, element has zero outputs", "connect output 0", offset=action.at)
        if action == "allow":
            return 0
        output = written_integer(action)
        if output is None:
            wanted = "a rule begins with allow, deny, drop or the number of an output"
            hint = instead(action, _ELSEWHERE[action]) if action in _ELSEWHERE else wanted
            raise ArgError(f"unknown action '{action}'" if action else "the rule is empty", hint, offset=action.at)
        if not 0 <= output < self.noutputs:
            raise ArgError(f"there is no output {action}", _NO_OUTPUT.format(self.noutputs), offset=action.at)
        return output
