from clickbpf.declare import USER, Integer, Keyword, Parallel


class MTDieTest(Parallel, ports="0/0", runs=USER):
    """asks for the end of the run on every thread at once

    Has a task on each thread that asks the driver to stop. For tests of how routers stop.

    Example: the driver stops when the second thread asks for it:

        MTDieTest(NTHREADS 2);
        DriverManager(wait_stop, wait_stop);
    """

    args = (
        Keyword("NTHREADS", Integer(32, low=1), text="Integer. The number of tasks, each on the next thread. Default is the number of "
            "threads"),
    )

    def task_count(self, threads: int) -> int:
        return self.cfg.nthreads or threads
