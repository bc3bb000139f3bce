from __future__ import annotations

from clickbpf.declare import ANEW, KEPT, PUSH, ArgError, Array, Held, Integer, Optional, Vars, read_handler, u32, u64, value_handlers

from ._number import NET_ORDER, OFFSET, USUAL_OFFSET, Numbered

#: The least and the greatest room for numbers.
ROOM, MOST = 1 << 16, 1 << 24


def room(element: CheckNumberPacket) -> int:
    """Numbers that an element has room for."""
    return max(ROOM, element.cfg.count)


class CheckNumberPacket(Numbered, ports="1/1-2", processing=PUSH):
    __doc__ = f"""counts how often packets with each number come

    A class of FastClick, for packets that NumberPacket has numbered. Packets with a number below COUNT leave by output 0. Others,
    and packets too short for a number, leave by output 1 or are dropped. Numbers beyond COUNT are reported on standard error, by
    the runtime.

    Arguments:

    Handlers:

      - `count` (read, write): COUNT. It can become {ROOM}, or what the configuration says if that is more.
      - `max`, `min` (read): the number that has come most or least often (the lowest, if several have), and how often, as in
        `[3] : 1`. Without numbers they are `[-1] : -1` and `[-1] : 2147483647`.

    Example: FromDevice(eth0) -> check :: CheckNumberPacket(60, 10000) -> Discard;
    """
    args = (
        Optional("OFFSET", OFFSET, USUAL_OFFSET, "where the number is, in bytes from the start of the packet"),
        Optional("COUNT", Integer(64, high=MOST), 0, f"how many numbers there are, at most {MOST}"),
        NET_ORDER,
    )
    state_types = {"vars": Vars(count=u64), "numbers": Array(room, seen=u32)}
    holds = (Held("numbers that it has seen", ANEW, KEPT),)

    def initialise(self) -> None:
        self.state.vars.count = self.cfg.count

    def _seen(self) -> list[int]:
        """How often each number has come."""
        return [self.state.numbers[number].seen for number in range(self.state.vars.count)]

    def _set_count(self, count: int) -> None:
        if count > room(self):
            raise ArgError(f"no room for {count} numbers", f"{room(self)} at most; the argument COUNT makes room for more")
        for number in range(count, self.state.vars.count):
            self.state.numbers[number].seen = 0
        self.state.vars.count = count

    count = value_handlers(Integer(64), lambda self: self.state.vars.count, _set_count)

    @read_handler("max")
    def most(self) -> str:
        seen = self._seen()
        return f"[{seen.index(max(seen))}] : {max(seen)}" if seen else "[-1] : -1"

    @read_handler("min")
    def least(self) -> str:
        seen = self._seen()
        return f"[{seen.index(min(seen))}] : {min(seen)}" if seen else "[-1] : 2147483647"

    @read_handler
    def dump(self) -> str:
        """all numbers, each with how often it has come, as in `3: 1`."""
        return "".join(f"{number}: {seen}\n" for number, seen in enumerate(self._seen()))
