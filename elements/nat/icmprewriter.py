from clickbpf.declare import (
    PUSH, READS_OTHERS, SELDOM, Anno, ArgError, Bool, Companion, Context, Integer, Keyword, Raw, Required, is_a,
    split_words,
)
from clickbpf.graph.ports import Shape

from ._rewriter import annotations_written
from ._structures import HEADERS

#: Parameters of the rewriters' functions SELF(foresee).
WANTED = "__u8 protocol, const struct nat_key *packet, struct nat_target *target"


class ICMPRewriter(Companion, ports="1/1-", processing=PUSH, traits=READS_OTHERS | SELDOM):
    """rewrites ICMP errors about packets that a rewriter has changed

    An ICMP error quotes the beginning of the packet that caused it. If a rewriter has changed that packet, the error wouldn't reach
    its sender, nor would the sender recognise the packet. This element looks up the packet's flow in some rewriters, and restores
    the error to what it would be without them, so that traceroute and path MTU discovery work through a NAT.

    It rewrites the errors destination unreachable, time exceeded, parameter problem, source quench and redirect. It runs in the
    kernel if all of its rewriters do.

    Ports: a push input for ICMP packets; push outputs. ICMP packets other than errors about known flows leave by output 1 if there
    are two outputs and no OFFSET, otherwise they are dropped. IP header annotations must be set.

    Example:

        nat :: IPRewriter(pattern 192.0.2.1 1024-65535 - - 0 1, drop);
        errors :: ICMPRewriter(nat);
        FromDevice(inside) -> Strip(14) -> CheckIPHeader -> [0] nat;
        FromDevice(outside) -> Strip(14) -> CheckIPHeader -> c :: IPClassifier(tcp or udp, icmp);
        c[0] -> [1] nat;
        c[1] -> errors -> in :: EtherEncap(0x0800, 02:00:00:00:00:03, 02:00:00:00:00:04) -> Queue -> ToDevice(inside);
        nat[0] -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(outside);
        nat[1] -> in;
    """

    headers = HEADERS
    args = (
        Required("MAPS", Raw(), "names of rewriters (IPRewriter, ICMPPingRewriter and their like), with spaces between. `NAME:OFFSET` "
            "sends errors to output OFFSET plus the one that the flow's packet would leave the rewriter by; without OFFSET to output 0"),
        Keyword("DST_ANNO", Bool(), True, "whether the destination annotation becomes the new destination address"),
        Keyword("REPLY_ANNO", Anno(1), text="an annotation of one byte. Errors about packets of a flow get what its replies get there"),
    )
    derived = {
        "others": ("int", lambda self: 1 if self.noutputs == 2 and all(offset < 0 for _, offset in self.maps) else -1),
        "reply_anno": ("int", lambda self: -1 if self.cfg.reply_anno is None else self.cfg.reply_anno),
    }

    def configure(self) -> None:
        words = split_words(self.cfg.maps)
        self.maps, wrong = [], []
        for word in words:
            try:
                self.maps.append(self._map(word))
            except ArgError as error:
                wrong.append(error)
        if not words:
            wrong.append(ArgError("no IP rewriters supplied", argument="MAPS"))
        if wrong:
            raise ExceptionGroup("maps", wrong)

    def _map(self, word: str) -> tuple[str, int]:
        """A rewriter's name and the number added to its outputs, -1 for none."""
        name, colon, offset_text = word.partition(":")
        element = self.context.find(name)
        class_ = self.context.class_of(element) if element else None
        try:
            offset = Integer(16).parse(offset_text, Context()) if colon else -1
        except ArgError:
            class_ = None
        if class_ is None or not is_a(class_, "Rewriter"):
            raise ArgError(f"{word} not an IP rewriter", argument="MAPS")
        outputs = Shape.of(self.context.router, element, class_).counts[1]
        if offset >= 0 and offset + outputs > self.noutputs:
            plural = "output" if self.noutputs == 1 else "outputs"
            raise ArgError(f"{word} port offset requires more than {self.noutputs} {plural}", argument="MAPS")
        return element, offset

    def refers_to(self) -> dict[str, str]:
        return {f"map{number}": element for number, (element, _) in enumerate(self.maps)}

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return annotations_written(self)

    @property
    def weight(self) -> int:
        return 350 + 300 * len(self.maps)

    def code(self) -> str:
        """SELF(find)(), which asks the rewriters in turn by their functions SELF(foresee) (rewriter.inc.h)."""
        asked = [f"OTHER({other}, foresee)" for other in self.refers_to()]
        declared = "".join(f"static __always_inline enum nat_found {name}({WANTED});\n" for name in asked)
        tries = "".join(
            f"\tfound = {name}(protocol, packet, target);\n\t*offset = {offset};\n\tif (found != NAT_MISS)\n\t\treturn found;\n"
            for name, (_, offset) in zip(asked, self.maps)
        )
        head = f"static __always_inline enum nat_found SELF(find)({WANTED}, int *offset)"
        return f'#include "nat/ports.h"\n{declared}{head}\n{{\n\tenum nat_found found;\n\n{tries}\treturn NAT_MISS;\n}}\n'
