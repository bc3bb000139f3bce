from __future__ import annotations

from clickbpf.args import Integer, Keyword
from clickbpf.vocabulary.element import USER, Element


class MTDieTest(Element):
    """asks for the end of the run on every thread at once

    Synopsis: `MTDieTest([NTHREADS ...])`

    Has a task on each thread, which asks the driver to stop. For tests of how routers end.

    Arguments:

      - NTHREADS: Integer. The number of tasks, each on the next thread. Default is the number of threads.

    Ports: none.

    Example: the driver stops when the second thread asks for it:

        MTDieTest(NTHREADS 2);
        DriverManager(wait_stop, wait_stop);
    """

    ports = "0/0"
    runs = USER
    entries = ("task", "init")
    args = (Keyword("NTHREADS", Integer(32, low=1)),)

    def task_count(self, threads: int) -> int:
        return self.cfg.nthreads or threads
