"""Several routers that cables connect: packets are followed from router to router until they leave the network.

A packet that cables bring to the same device twice is in a loop. Paths end there, so each packet is followed along each cable at most once,
and all its way is known without a bound on the number of routers. A checksum that is proved to be right where a packet leaves a router is
taken for right by the next one, since a solver can't compute it through several routers.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from clickbpf.prove import terms
from clickbpf.prove.answers import Router
from clickbpf.prove.evaluation import Values
from clickbpf.prove.explore import End, Explorer, Fate
from clickbpf.prove.machine import State
from clickbpf.prove.replay import Example, replay
from clickbpf.prove.solver import Undecided


class Network(Router):
    """All paths of packets through a network. `cables` has, for each device that sends to others, those that receive its frames."""

    def __init__(self, explorers: Mapping[str, Explorer], cables: Mapping[str, tuple[str, ...]]):
        super().__init__(next(iter(explorers.values())))
        self._explorers, self._cables = explorers, cables
        inner = {device for receivers in cables.values() for device in receivers}
        self.devices = [device for explorer in explorers.values() for device in explorer.devices]
        self.entries = [device for explorer in explorers.values() for device in explorer.entries if device not in inner]

    def _at(self, device: str) -> Explorer:
        return self._explorers[device.partition(".")[0]]

    def _reached(self, end: End | Example) -> list[str]:
        return [to for sender in end.devices for to in self._cables.get(sender, ())]

    def _left(self, end: End | Example) -> tuple[str, ...]:
        return tuple(sender for sender in end.devices if sender not in self._cables)

    def explored(self, device: str) -> Iterator[End]:
        pending: list[tuple[tuple[str, ...], list[State]]] = [((device,), [])]
        while pending:
            way, states = pending.pop()
            explorer, following = self._at(way[-1]), {}
            for end in explorer.ends(way[-1], states):
                left, reached = self._left(end), self._reached(end)
                wrong = explorer.after(end).has_wrong_checksum() if reached else True
                with suppress(Undecided):
                    if wrong is not True and explorer.possible(wrong, end) is None:
                        end.state.assume(terms.opposite(wrong))
                if left or not reached:
                    yield replace(end, devices=left, way=way)
                for to in reached:
                    if to in way:
                        yield replace(end, fate=Fate.LOOP, devices=(to,), way=(*way, to))
                    else:
                        following.setdefault(to, []).append(explorer.departed(end.state))
            pending += [((*way, to), departed) for to, departed in following.items()]

    def replay(self, end: End, device: str, values: Values) -> Example:
        """The first packet, and its fate at the end of its way as far as the real routers follow the path's."""
        way, found = [device], replay(self._at(device), device, values)
        packet = found.packet
        while reached := self._reached(found):
            if self._left(found) and len(way) >= len(end.way):
                break
            to = next((each for each in reached if each in end.way[len(way) : len(way) + 1]), reached[0])
            if to in way:
                return replace(found, device=device, packet=packet, fate=Fate.LOOP, devices=(to,), way=(*way, to))
            found = replay(self._at(to), to, values, found.after, again=self._at(to) in map(self._at, way))
            way.append(to)
        return replace(found, device=device, packet=packet, devices=self._left(found), way=tuple(way))
