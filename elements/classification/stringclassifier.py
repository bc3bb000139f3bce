from clickbpf.declare import CHOOSES, PUSH, Constants, expect_one_per_port

from ._automaton import StringElement


class StringClassifier(StringElement, ports="1/-", processing=PUSH, traits=CHOOSES):
    """sorts packets by the texts that they contain

    A class of FastClick. Each text has an output. A packet leaves by the output of the first text, in the order of the arguments,
    that it contains. (In FastClick it is the text that ends first in the packet.) Other packets leave by a last output, or are
    dropped if it isn't connected. The time depends on the packet's length, not on the number of texts.

    The texts may be quoted, and written in hexadecimal digits, as in `\\<0d 0a>`.

    Ports: one push input; a push output for each text, and one more (may be missing) for other packets.

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
