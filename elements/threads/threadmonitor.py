import sys

from clickbpf.declare import USER, Element, Integer, Optional


class ThreadMonitor(Element, ports="0/0", runs=USER):
    """prints which tasks keep the threads busy

    At intervals, prints a line for each task that has used the CPU since the last report, with its thread and its cycles, estimated
    by sampling. (Click has this class in the kernel only.)

    Example:

        FromDevice(eth0) -> Queue -> u :: Unqueue -> Discard;
        StaticThreadSched(u 1);
        ThreadMonitor(5000);
    """

    args = (
        Optional("INTERVAL", Integer(32, low=1), 1000, "Integer, milliseconds between two reports. Default is 1000; the first one comes "
            "after 10"),
        Optional("THRESH", Integer(32), 1000, "Integer. Tasks with fewer cycles are left out"),
    )

    def begin(self) -> None:
        self._before: dict[str, int] = {}

    def called(self, value: int) -> None:
        seconds, tasks = self.runtime.clock / 1e9, self.runtime.tasks
        for name in tasks.names():
            state = tasks.state(name)
            cycles = state.busy - self._before.get(name, 0)
            self._before[name] = state.busy
            if cycles >= self.cfg.thresh:
                declaration = self.context.router.element(name)
                title = f"{name} :: {declaration.class_name}"
                print(f"{seconds:.3f}: on thread {state.thread}: {title}, cycles {cycles}", file=sys.stderr)
