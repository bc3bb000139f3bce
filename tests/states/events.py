"""Events in the life of two loaded routers under traffic, and an account of every frame: test_events.py has one after the other,
tests/bench/storm.py has them at random.

A host sends numbered frames through a router whose kernel path forwards them, then through one whose runtime does, to a host that counts
them. After an event the sender pauses: what has arrived, what routers count as dropped and what devices have refused is together what was
sent. Only a killed runtime takes frames with it that nobody counts: those that it had taken out of its sockets' rings, and had not sent.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from tests.bench.swaps import CLICKBPF, ENVIRONMENT, Traffic, refused

from clickbpf.load.files.places import RunFolder
from clickbpf.load.process.service import alive
from clickbpf.testing.netns import Namespace, Network

TEXT = """FromDevice(eth0) -> c :: Counter -> s :: Classifier(12/88b5, -) -> q :: Queue -> ToDevice(eth1);
s[1] -> Discard; FromDevice(eth1) -> Discard;"""
OTHER = TEXT.replace("c ::", "n :: Null -> c ::")
#: Seconds without a change after which no frame is on its way; the longest time to wait for that, and for a router to run.
QUIET, PATIENCE = 0.4, 20.0
#: Most frames that a killed runtime can have had, of a queue of 1000 and the sockets' rings of 2 x 4096.
TAKEN = 1000 + 2 * 4096


def clickbpf(namespace: Namespace, *words: str, check: bool = True) -> subprocess.CompletedProcess:
    return namespace.run(*CLICKBPF, *words, env=ENVIRONMENT, check=check, timeout=120)


@dataclass
class Router:
    """A loaded router: its namespace, its options, and the drops of those of its name that were unloaded."""

    name: str
    namespace: Namespace
    options: tuple[str, ...]
    text: str = TEXT
    earlier: int = 0

    def load(self, *more: str) -> None:
        clickbpf(self.namespace, "load", "-n", self.name, *self.options, *more, "-e", self.text)

    @property
    def pid(self) -> int | None:
        return alive(RunFolder.of(self.name))

    def drops(self) -> int:
        listed = json.loads(clickbpf(self.namespace, "drops", self.name, "--json").stdout)["drops"]
        return self.earlier + sum(each["count"] for each in listed)

    @property
    def runs(self) -> bool:
        """Whether it is listed as running, optimised or not."""
        return self.state().startswith("running")

    def state(self) -> str:
        listed = json.loads(clickbpf(self.namespace, "list", "--json").stdout)
        return next((each["state"] for each in listed if each["name"] == self.name), "not loaded")

    # Events; each returns whether frames may have gone with a killed process.

    def swap(self) -> bool:
        self.load("--replace")
        return False

    def swap_for_another(self) -> bool:
        self.text = OTHER if self.text == TEXT else TEXT
        return self.swap()

    def other_arguments(self) -> bool:
        for arguments in ("12/88b5 14/00, -", "12/88b5, -"):
            clickbpf(self.namespace, "write", "-r", self.name, "s.config", arguments)
        return False

    def kill(self) -> bool:
        os.kill(self.pid, signal.SIGKILL)
        self._wait(lambda: not self.pid)
        assert not self.runs, f"{self.name} is listed as running, and its runtime was killed"
        return True

    def kill_and_resume(self) -> bool:
        self.kill()
        clickbpf(self.namespace, "load", "--resume", "-n", self.name, *self.options, "-e", self.text)
        return True

    def kill_and_start_the_runtime(self) -> bool:
        self.kill()
        clickbpf(self.namespace, "load", "--runtime-only", self.name)
        return True

    def kill_and_replace(self) -> bool:
        self.kill()
        return self.swap_for_another() or True

    def kill_while_it_is_replaced(self) -> bool:
        replacing = self.namespace.popen(
            *CLICKBPF, "load", "-n", self.name, *self.options, "--replace", "-e", self.text,
            env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(random.uniform(0.2, 1.5))
        if pid := self.pid:
            os.kill(pid, signal.SIGKILL)
        replacing.wait(timeout=120)
        self._wait(lambda: self.pid != pid)
        if not self.pid:
            self._wait(lambda: not self.runs)
            clickbpf(self.namespace, "load", "--resume", "-n", self.name, *self.options, "-e", self.text)
        return True

    def stop_and_resume(self) -> bool:
        clickbpf(self.namespace, "write", "-r", self.name, "stop")
        self._wait(lambda: not self.runs)
        clickbpf(self.namespace, "load", "--resume", "-n", self.name, *self.options, "-e", self.text)
        return False

    def device_goes_down(self) -> bool:
        for state in ("down", "up"):
            self.namespace.ip("link", "set", "eth1", state)
            time.sleep(0.5)
        return False

    def trace(self) -> bool:
        clickbpf(self.namespace, "trace", self.name, "-c", "5", check=False)
        return False

    def is_looked_at(self) -> bool:
        for words in (("top", "--once", self.name), ("metrics", self.name), ("read", "-r", self.name, "*.count"), ("drops", self.name)):
            clickbpf(self.namespace, *words)
        return False

    def _wait(self, condition: Callable[[], bool]) -> None:
        until = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < until, f"{self.name}: waited in vain"
            time.sleep(0.02)


EVENTS = (
    *(Router.swap, Router.swap_for_another, Router.other_arguments, Router.kill_and_resume, Router.kill_and_start_the_runtime),
    *(Router.kill_and_replace, Router.kill_while_it_is_replaced, Router.stop_and_resume, Router.device_goes_down, Router.trace),
    Router.is_looked_at,
)


@dataclass
class Account:
    """Frames that were sent and those that are known to have ended, from one pause to the next."""

    traffic: Traffic
    routers: tuple[Router, ...]
    hops: tuple[tuple[Namespace, str], ...]
    missing: int = 0
    taken: int = 0
    wrong: list[str] = field(default_factory=list)

    def refused(self) -> int:
        return refused(*self.hops) + sum(self._dropped(*hop) for hop in self.hops) + self._not_redirected()

    def _not_redirected(self) -> int:
        """Frames that the first router redirected to a device that was down: Linux counts them where they came in."""
        one, device = self.routers[0].namespace, "eth0"
        lines = one.run("ethtool", "-S", device).stdout.splitlines()
        return sum(int(line.partition(":")[2]) for line in lines if re.match(r"\s*rx_queue_\d+_drops", line))

    @staticmethod
    def _dropped(namespace: Namespace, device: str) -> int:
        (link,) = json.loads(namespace.ip("-j", "-s", "link", "show", "dev", device))
        return link["stats64"]["tx"]["dropped"]

    def settle(self) -> None:
        seen, since = None, time.monotonic()
        while time.monotonic() < since + QUIET:
            now = self.traffic.received
            if now != seen:
                seen, since = now, time.monotonic()
            time.sleep(0.05)

    def balance(self) -> int:
        """Frames of which nothing is known."""
        return self.traffic.sent - self.traffic.received[0] - self.refused() - sum(router.drops() for router in self.routers)

    def check(self, event: str, killed: bool) -> None:
        self.settle()
        lost, self.missing = self.balance() - self.missing, self.balance()
        if killed and 0 <= lost <= TAKEN:
            self.taken += lost
        elif lost:
            self.wrong.append(f"{event}: {lost} frames unaccounted for")
        self.wrong += [f"{event}: {router.name} is {router.state()}" for router in self.routers if not router.runs]


def forwards(account: Account) -> bool:
    """Whether frames arrive again."""
    before, until = account.traffic.received[0], time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if account.traffic.received[0] > before + 100:
            return True
        time.sleep(0.05)
    return False


@contextmanager
def scene(rate: int, name: str) -> Iterator[Account]:
    """The hosts, the routers and the sender, which has begun."""
    with ExitStack() as undo:
        net = undo.enter_context(Network())
        source, one, two, sink = (net.namespace(label) for label in ("source", "one", "two", "sink"))
        net.veth(source, "eth0", one, "eth0")
        net.veth(one, "eth1", two, "eth0")
        net.veth(two, "eth1", sink, "eth0")
        routers = (Router(f"{name}k", one, ()), Router(f"{name}u", two, ("--user", "c")))
        for router in routers:
            router.load()
            undo.callback(clickbpf, router.namespace, "unload", router.name, check=False)
        traffic = Traffic(source, sink, rate, undo)
        account = Account(traffic, routers, ((source, "eth0"), (one, "eth1"), (two, "eth1")))
        account.missing = account.balance()
        traffic.start()
        undo.callback(traffic.stop)
        yield account


def happens(account: Account, router: Router, event: Callable[[Router], bool]) -> list[str]:
    """Have an event happen under traffic: what is wrong afterwards."""
    before, name = len(account.wrong), f"{event.__name__} of {router.name}"
    account.traffic.pause(False)
    killed = event(router)
    if not forwards(account):
        account.wrong.append(f"{name}: no frame arrives any more")
    account.traffic.pause(True)
    account.check(name, killed)
    return account.wrong[before:]
