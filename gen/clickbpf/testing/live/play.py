"""Sending traffic to a loaded router, and recording what it does."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from clickbpf.observe import dropcounts
from clickbpf.testing.live import neighbours
from clickbpf.testing.live.stage import Stage
from clickbpf.testing.live.traffic import Traffic
from clickbpf.testing.live.variants import Variant
from clickbpf.testing.live.words import mix
from clickbpf.testing.record import Output

#: The most answers that neighbours send after one packet.
ANSWERS = 8
#: Seconds to wait for late packets at the end.
LATE = 0.3
#: State by name: `element.handler`, `element drops REASON`, and a few more about the runtime.
State = dict[str, str]


@dataclass
class Step:
    """A packet that arrived, the packets that left because of it, and the watched state afterwards."""

    device: str
    frame: bytes
    outputs: list[Output]
    watched: State


@dataclass
class Record:
    """A router's reactions to packets, and its state at the end."""

    steps: list[Step] = field(default_factory=list)
    state: State = field(default_factory=dict)

    @property
    def sent(self) -> int:
        return sum(len(step.outputs) for step in self.steps)


class Play:
    """Sends packets, and neighbours' answers to the router; half-way through, the variant's event happens. `watch` names state to read
    after every packet."""

    def __init__(self, stage: Stage, variant: Variant, watch: Iterable[str] = ()):
        self._stage, self._event, self._watch = stage, variant.event, frozenset(watch)
        self._compared = stage.in_kernel if variant.forgets else stage.compared
        self._watched = [name for name in self._compared if any(each.startswith((f"{name}.", f"{name} ")) for each in self._watch)]
        self.record = Record()

    def run(self, seed: int, count: int) -> Record:
        stage, left = self._stage, []
        configuration = [element.config for element in stage.compilation.checked.router.elements]
        traffic = Traffic(seed, stage.entries, mix(configuration, [mac.hex(":") for mac in stage.entries.values()]))
        for step in range(count if stage.entries else 0):
            if self._event and step == count // 2:
                self._event(stage)
                stage.reopen()
            left.append(self._exchange(*traffic.arrival(step, left)))
        self.record.steps.append(Step("", b"", stage.rest(LATE), {}))
        self.record.state = self._state(self._compared)
        return self.record

    def _exchange(self, device: str, frame: bytes) -> list[Output]:
        """Send a packet, and neighbours' answers to the packets that leave. Returns the packets that left by devices."""
        waiting, left = [(device, frame)], []
        for _ in range(ANSWERS):
            if not waiting:
                break
            device, frame = waiting.pop(0)
            outputs = self._stage.send(device, frame)
            state = self._state(self._watched) if self._watched else {}
            self.record.steps.append(Step(device, frame, outputs, {name: state.get(name, "0") for name in self._watch}))
            left += outputs
            answers = [(output.device, neighbours.answer(output.data)) for output in outputs if output.device in self._stage.entries]
            waiting += [(device, answer) for device, answer in answers if answer]
        return left

    def _state(self, elements: list[str]) -> State:
        """Read handlers without arguments, drops by element and reason, and the log."""
        if not self._stage.is_alive:
            return {"runtime": "dead: " + " | ".join(self._stage.log()[-3:])}
        access = self._stage.access
        names = access.values(elements)
        found = {"runtime": "alive", **{name: str(value) for name, value in zip(names, access.read_each(names))}}
        drops = dropcounts.counts(access, elements).items()
        found |= {f"{element} drops {reason}": str(count) for (element, reason), count in drops if count}
        return found | {"printed": "\n".join(self._stage.log())}
