from clickbpf.declare import USER, Bool, Integer, Optional, ThreadHomes

from ..common._warning import warn


class BalancedThreadSched(ThreadHomes, ports="0/0", runs=USER):
    """spreads tasks over threads by their cost

    Measures by sampling how much CPU time each task uses, and at intervals moves tasks from the busiest thread to the least busy
    one, while that brings both nearer to the average. Nothing is moved while all threads are within an eighth of the average. Tasks
    placed by a StaticThreadSched are moved as well, but none from thread -1.

    With `load --spread`, Queues before an Unqueue stay in the kernel, also those whose Unqueue no StaticThreadSched places. The CPUs are
    threads then, and packets that wait for a CPU are moved among these by the CPU time that they take. Packets of a Queue stay in order,
    and none is dropped for that.

    Ports: none. SortedTaskSched is another name of the class.

    Example: of four lines of work, each thread gets its share:

        FromDevice(eth0) -> h :: HashSwitch(26, 8);
        h[0] -> Queue -> Unqueue -> Discard;
        h[1] -> Queue -> Unqueue -> Discard;
        h[2] -> Queue -> Unqueue -> Discard;
        h[3] -> Queue -> Unqueue -> Discard;
        BalancedThreadSched(500);
    """

    aliases = ("SortedTaskSched",)
    first_home = 0
    args = (
        Optional("INTERVAL", Integer(32, low=1), 1000, "Integer, milliseconds between two measurements. Default is 1000; the first one "
            "comes after 10"),
        Optional("INCREASING", Bool(), True, "Boolean. If true, cheap tasks are moved first, otherwise costly ones"),
    )

    def begin(self) -> None:
        self._before: dict[str, int] = {}
        #: Whether the CPU time of the kernel's queues is unknown.
        self._blind = False

    def called(self, value: int) -> None:
        with self.runtime.locked():
            self._balance(self.runtime.tasks, self.runtime.threads)
        hops = self.runtime.hops
        if hops is not None and not self._blind:
            try:
                self._balance(hops, hops.threads)
            except LookupError:
                self._blind = True
                warn(self, "queues of CPUs stay where they are: the CPU time of the kernel's threads can't be seen in /proc")

    def _balance(self, tasks, threads: int) -> None:
        """Move tasks by the CPU time that they used in the last interval."""
        states = {name: tasks.state(name) for name in tasks.names()}
        used = {name: max(0, state.busy - self._before.get(name, 0)) for name, state in states.items() if state.thread >= 0}
        self._before |= {name: state.busy for name, state in states.items()}
        homes = {name: states[name].thread for name in used}
        for name, thread in moves(used, homes, threads, self.cfg.increasing):
            tasks.move(name, thread)


def moves(used: dict[str, int], homes: dict[str, int], threads: int, increasing: bool = True) -> list[tuple[str, int]]:
    """The tasks to move, each with its new thread: `used` has the tasks' costs, `homes` their threads."""
    homes, found = dict(homes), []
    loads = [sum(cost for name, cost in used.items() if homes[name] == thread) for thread in range(threads)]
    average = sum(loads) / threads
    for _ in range(threads):
        least, most = loads.index(min(loads)), loads.index(max(loads))
        if average - loads[least] < average / 8 and loads[most] - average < average / 8:
            break
        for name in sorted((n for n in used if homes[n] == most), key=lambda n: used[n], reverse=not increasing):
            cost = used[name]
            if loads[least] + cost < average * 5 / 4 and loads[least] + 2 * cost <= loads[most]:
                loads[least] += cost
                loads[most] -= cost
                homes[name] = least
                found.append((name, least))
    return found
