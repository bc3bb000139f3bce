"""Answers to questions about a router: proved, refuted, or undecided."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from clickbpf.errors import ClickError
from clickbpf.prove.evaluation import Values
from clickbpf.prove.explore import End, Explorer, Fate
from clickbpf.prove.frames import Frame, is_asked
from clickbpf.prove.questions import Question
from clickbpf.prove.replay import Example, replay
from clickbpf.prove.solver import Undecided


class Verdict(Enum):
    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass
class Answer:
    """`example` is a packet that has refuted the claim on the real datapath (or, for `reached`, proved it); `open` lists what is
    undecided."""

    question: Question
    verdict: Verdict
    example: Example | None = None
    open: list[str] = field(default_factory=list)


class Router:
    """All paths of packets through a router's kernel path, explored once, at the first question about them."""

    def __init__(self, explorer: Explorer):
        self.explorer = explorer
        self._context = next(iter(explorer.made.checked.instances.values())).context
        self.devices: Sequence[str] = explorer.devices
        #: The devices on which packets arrive.
        self.entries: Sequence[str] = tuple(explorer.entries)
        self._found: dict[str, list[End]] = {}

    def explored(self, device: str) -> Iterator[End]:
        """All paths of packets that arrive on a device."""
        return self.explorer.ends(device)

    def replay(self, _end: End, device: str, values: Values) -> Example:
        """What the real datapath makes of the packet with these values."""
        return replay(self.explorer, device, values)

    def of(self, devices: Iterable[str]) -> Iterator[tuple[str, End]]:
        """The paths of packets that arrive on these devices."""
        for device in devices:
            if device not in self._found:
                self._found[device] = list(self.explored(device))
            yield from ((device, end) for end in self._found[device])

    @property
    def answered(self) -> list[str]:
        """Elements that answer with packets of their own, which aren't followed."""
        return sorted({end.element for _, end in self.of(self.entries) if end.fate is Fate.ANSWERED})

    def answer(self, question: Question) -> Answer:
        """The answer; ClickError if the question names something that doesn't exist."""
        self._check(question)
        opened: list[str] = []
        for device, end in self.of(self.entries if question.device is None else [question.device]):
            if end.fate is Fate.OPEN and self._concerns(question, end):
                opened.append(f"from {device}: {end.why}")
            if end.fate is Fate.OPEN or not question.counts(end):
                continue
            if question.claim == "cost":  # an upper bound: a merged path has the count of its longest one
                opened += [f"from {device}, {end.text()}: up to {end.state.count} instructions"] * self._concerns(question, end)
                continue
            try:
                found = self._example(question, device, end, opened)
            except Undecided:
                opened.append(f"from {device}, {end.text()}: the solver gave up")
                continue
            if found is not None:
                return Answer(question, Verdict.PROVED if question.wants_one else Verdict.REFUTED, found)
        if opened:
            return Answer(question, Verdict.UNDECIDED, open=opened)
        return Answer(question, Verdict.REFUTED if question.wants_one else Verdict.PROVED)

    def _check(self, question: Question) -> None:
        named = [question.device] if question.device else []
        named += question.words if question.claim in ("on", "not_on", "reached") else []
        for name in named:
            if name not in self.devices:
                raise ClickError(f"{question.text}: the router has no device {name}", hint=f"its devices are {', '.join(self.devices)}")

    def _concerns(self, question: Question, end: End) -> bool:
        """Whether packets in the question's scope may take a path with an unknown end."""
        return self.explorer.may_take(end, is_asked(question.pattern, self._context, self.explorer.before))

    def _example(self, question: Question, device: str, end: End, opened: list[str]) -> Example | None:
        """A packet on this path that contradicts the claim, if there is one, and if it does so on the real datapath."""
        written = None if end.state.head or end.state.moved else end.written(self.explorer.world)
        truth = question.against(self.explorer.before, self.explorer.after(end), written, self._context)
        values = self.explorer.possible(truth, end)
        if values is None:
            return None
        example = self.replay(end, device, values)
        if self._confirms(question, end, example):
            return example
        opened.append(f"from {device}, {end.text()}: a packet was found, but the datapath treats it otherwise ({example.fate.value})")
        return None

    def _confirms(self, question: Question, end: End, example: Example) -> bool:
        """Whether the datapath's treatment of a packet contradicts the claim, judged only by the packet's bytes."""
        if question.claim == "on":
            if example.fate is Fate.HANDED or example.devices == question.words:
                return False
        elif (example.fate, example.devices, example.way) != (end.fate, end.devices, end.way):
            return False
        if question.claim == "reasoned":
            return not example.reasons
        written = range(len(example.after))
        return question.against(_frame(example.packet), _frame(example.after), written, self._context) is True


def _frame(packet: bytes) -> Frame:
    return Frame(lambda place: packet[place] if place < len(packet) else 0, len(packet))
