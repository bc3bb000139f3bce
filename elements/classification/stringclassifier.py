from clickbpf.declare import CHOOSES, PUSH, Constants, expect_one_per_port

from ._automaton import StringElement


class StringClassifier(StringElement, ports="1/-", processing=PUSH, traits=CHOOSES):
    """sorts packets by texts that they have

    A class of FastClick. Each text has an output. A packet leaves by that of the first text, in the order of the arguments, that it has
    anywhere. (In FastClick it is the one whose end comes first in the packet.) Others leave by one more output, after those of the texts,
    or are dropped if that isn't there. The time that this takes is that for the packet's bytes, however many texts there are.

    The texts may be quoted, and written in hexadecimal digits, as in `\\<0d 0a>`.

    Ports: one push input; a push output for each text, and one more, which may be missing.

    Example:

        FromDevice(eth0) -> s :: StringClassifier("GET ", "POST ");
        s[0], s[1], s[2] => Discard, Discard, Discard;
    """

    def configure(self) -> None:
        super().configure()
        if self.noutputs != len(self.cfg.string) + 1:
            expect_one_per_port(self, "output", self.cfg.string)

    def constants(self) -> Constants:
        return {**super().constants(), "texts": ("__u32", str(len(self.cfg.string)))}
