"""The base of classes that check headers: a packet is good, or bad for a reason."""

from collections.abc import Mapping
from enum import IntEnum
from typing import ClassVar

from clickbpf.declare import Bool, Element, Keyword, PerThread, c_string, read_handler, u64

#: The most reasons that a class may have.
MOST_REASONS = 6

#: Common parts of the classes' manual pages.
KERNEL = "Bad packets that the kernel path finds are counted, but not printed; with VERBOSE it hands them over, and all are."

#: The manual pages of the classes for transport headers.
TRANSPORT_MANUAL = f"""checks {{protocol}} headers

    {{about}}

    Good packets leave unchanged by output 0. Bad packets leave unchanged by output 1, or are dropped if it isn't connected. The
    packet's IP header must be marked (CheckIPHeader, MarkIPHeader); a packet without one is bad.

    {{kernel}} {KERNEL}

    Example: FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> Check{{protocol}}Header -> Discard;
    """

#: The same of those that use pseudo-headers.
KERNEL_PSEUDO = """The kernel path hands over packets with IP options, since a source route affects the checksum, and packets of
    more than 4095 bytes."""


def mistakes(reasons: Mapping[str, str]) -> type[IntEnum]:
    """The reasons, numbered like the counters, and NOTHING."""
    return IntEnum("Mistake", [*reasons, "NOTHING"], start=0)


class HeaderCheck(Element, ports="1/1-2", processing="a/ah"):
    """Base of the classes; in C, headerreject.inc.h."""

    same_form = True

    #: The header's name, and the reasons in Click's words, by the names that are SELF(NAME) in C; SELF(NOTHING) is a good header.
    subject: ClassVar[str]
    reasons: ClassVar[Mapping[str, str]]
    #: What Click's message about a bad packet begins with.
    title: ClassVar[str] = "{element}: "

    args = (
        Keyword("VERBOSE", Bool(), False, "whether to print a message for every bad packet, and not only for the first"),
        Keyword("DETAILS", Bool(), False, "whether `drop_details` counts each reason by itself"),
    )
    state_types = {"counters": PerThread(bad=u64 * MOST_REASONS)}

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        cls.enums = (mistakes(cls.reasons),)

    def code(self) -> str:
        reasons = ", ".join(map(c_string, self.reasons.values()))
        title = self.title.format(element=self.name, declaration=f"{self.name} :: {self.class_name()}")
        return (
            f"static const char SELF(title)[] __attribute__((unused)) = {c_string(title)};\n"
            f"static const char *const SELF(reasons)[] __attribute__((unused)) = {{ {reasons} }};\n"
            + f"static const char SELF(subject)[] __attribute__((unused)) = {c_string(self.subject)};\n"
        )

    drops = read_handler(lambda self: str(sum(self._bad())), text="how many packets were bad.")

    @read_handler
    def drop_details(self) -> str:
        """for each reason a line with a number, a tab and the reason; empty unless DETAILS is true."""
        if not self.cfg.details:
            return ""
        return "".join(f"{count}\t{reason}\n" for count, reason in zip(self._bad(), self.reasons.values()))

    def _bad(self) -> list[int]:
        """Bad packets by reason, over all CPUs and threads."""
        return [sum(counts) for counts in zip(*(value.bad for value in self.state.counters))]
