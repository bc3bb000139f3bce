"""Events in the life of two loaded routers under traffic, and an account of every frame: test_events.py has one after the other,
tests/bench/storm.py has them at random.

A host sends numbered frames through a router whose kernel path forwards them, then through one that hands over half of them, to a
host that counts them. After an event the sender pauses: what has arrived, what routers count as dropped and what Linux has dropped before
they saw it is together what was sent. Nobody counts the frames that a killed runtime had taken out of its sockets' rings, and had not sent,
and those in a cable that is taken away.
"""

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from tests import commands
from tests.bench.swaps import Traffic
from tests.states.line import Line
from tests.waiting import standing_still

from clickbpf.load.files.places import RunFolder
from clickbpf.load.process.service import alive
from clickbpf.testing.netns import Namespace, Network

TEXT = """f :: FromDevice(eth0) -> c :: Counter -> s :: Classifier(12/88b5 16/00%01, 12/88b5, -) -> q :: Queue -> t :: ToDevice(eth1);
s[1] -> h :: Null -> q; s[2] -> Discard; FromDevice(eth1) -> Discard;"""
#: It lacks the queue, and what waits and was dropped there is counted all the same.
OTHER = TEXT.replace("c ::", "n :: Null -> c ::").replace(" q", " p")
ARGUMENTS = "12/88b5 16/00%01, 12/88b5, -", "12/88b5 16/01%01, 12/88b5, -"
#: The same of frames in flows, which all leave by one output whatever the arguments are, since another path would be another order.
ARGUMENTS_OF_FLOWS = "12/0800 16/00, 12/0800, -", "12/0800, 12/0800, -"
#: Seconds without a change after which no frame is on its way; the longest time to wait for that, and for a router to run.
QUIET, PATIENCE = 0.4, 20.0
#: Most frames that a killed runtime can have had, of a queue of 1000 and the sockets' rings of 2 x 4096.
TAKEN = 1000 + 2 * 4096


def clickbpf(namespace: Namespace | None, *words: str, check: bool = True) -> subprocess.CompletedProcess:
    return commands.run(namespace, *words, check=check)


@dataclass
class Router:
    """A loaded router: its place in the line, its options, and the drops of those of its name that were unloaded."""

    name: str
    line: Line
    place: int
    options: tuple[str, ...]
    #: Its configuration, another one, and two arguments of the element `s` of both.
    text: str = TEXT
    other: str = OTHER
    arguments: tuple[str, str] = ARGUMENTS
    earlier: int = 0
    account: "Account | None" = None

    @property
    def namespace(self) -> Namespace:
        return self.line.at[self.place]

    def load(self, *more: str) -> None:
        clickbpf(self.namespace, "load", "-n", self.name, *self.options, *more, "-e", self.text)

    @property
    def pid(self) -> int | None:
        return alive(RunFolder.of(self.name))

    def listed_drops(self) -> list[dict]:
        return json.loads(clickbpf(self.namespace, "drops", self.name, "--json").stdout)["drops"]

    def drops(self) -> int:
        return self.earlier + sum(each["count"] for each in self.listed_drops())

    @property
    def runs(self) -> bool:
        """Whether it is listed as running, optimised or not."""
        return self.state().startswith("running")

    def state(self) -> str:
        return self._listed().get("state", "not loaded")

    def _listed(self) -> dict:
        listed = json.loads(clickbpf(None, "list", "--json").stdout)
        return next((each for each in listed if each["name"] == self.name), {})

    # Events; each returns whether frames may have gone with a killed process.

    def resume(self) -> None:
        self.load("--resume")

    def swap(self) -> bool:
        self.load("--replace")
        return False

    def swap_for_another(self) -> bool:
        self.text, self.other = self.other, self.text
        return self.swap()

    def other_arguments(self) -> bool:
        for arguments in reversed(self.arguments):
            clickbpf(self.namespace, "write", "-r", self.name, "s.config", arguments)
        return False

    def kill(self) -> bool:
        os.kill(self.pid, signal.SIGKILL)
        self._wait(lambda: not self.pid)
        assert not self.runs, f"{self.name} is listed as running, and its runtime was killed"
        return True

    def kill_and_resume(self) -> bool:
        self.kill()
        self.resume()
        return True

    def kill_and_start_the_runtime(self) -> bool:
        self.kill()
        clickbpf(self.namespace, "load", "--runtime-only", self.name)
        return True

    def kill_and_replace(self) -> bool:
        self.kill()
        return self.swap_for_another() or True

    def kill_while_it_is_replaced(self) -> bool:
        words = ("load", "-n", self.name, *self.options, "--replace", "-e", self.text)
        replacing = commands.start(self.namespace, *words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.2, 1.5))
        if pid := self.pid:
            os.kill(pid, signal.SIGKILL)
        replacing.wait(timeout=120)
        self._wait(lambda: self.pid != pid)
        if not self.pid:
            self._wait(lambda: not self.runs)
            self.resume()
        return True

    def runtime_stands_still(self) -> bool:
        """What is more than it has room for is dropped and counted, as when it is overloaded."""
        with self._standing_still():
            pass
        return False

    def kill_while_packets_wait(self) -> bool:
        with self._standing_still():
            return self.kill_and_resume()

    def unload_and_load(self) -> bool:
        """What comes meanwhile isn't for anybody: Linux counts it."""
        self.earlier = self.drops()
        clickbpf(self.namespace, "unload", self.name)
        assert self.state() == "not loaded"
        self.load()
        return True

    @contextmanager
    def _standing_still(self) -> Iterator[None]:
        with standing_still(self.pid):
            time.sleep(1)
            yield

    def stop_and_resume(self) -> bool:
        clickbpf(self.namespace, "write", "-r", self.name, "stop")
        self._wait(lambda: not self.runs)
        self.resume()
        return False

    def device_goes_down(self) -> bool:
        for state in ("down", "up"):
            self.namespace.ip("link", "set", "eth1", state)
            time.sleep(0.5)
        return False

    def swap_while_all_is_refused(self) -> bool:
        """The other end of the cable is down. It is empty: veth would free, uncounted, what a poll's 64 frames leave."""
        beyond = self.line.at[self.place + 1]
        with self.account.stopped():
            beyond.ip("link", "set", "eth0", "down")
        self.swap_for_another()
        beyond.ip("link", "set", "eth0", "up")
        return False

    def device_is_deleted(self) -> bool:
        """And comes back. Both routers lose the cable between them, and the account what its devices had counted."""
        return self._without_cable(str, Router.resume)

    def device_is_deleted_and_router_replaced(self) -> bool:
        return self._without_cable(str, Router.swap_for_another)

    def device_is_deleted_and_runtime_killed(self) -> bool:
        return self._without_cable(self.kill, Router.resume)

    def _without_cable(self, meanwhile: Callable[[], object], afterwards: Callable[["Router"], object]) -> bool:
        self.line.cut(1)
        for router in self.account.routers:
            self._wait(lambda: not all(each["attached"] for each in router._listed()["attachments"]))  # noqa: B023 - called at once
            assert router.runs
        meanwhile()
        self.line.lay(1)
        for router in self.account.routers:
            afterwards(router)
        return True

    def namespace_is_deleted(self) -> bool:
        """It lives on without a name until the runtime ends; then its cables go, which the other router has an end of."""
        self.account.traffic.pause(True)
        self.account.settle()
        self.account.balance()
        self.earlier = self.drops()
        self.namespace.close()
        assert self.runs
        self.kill()
        self._wait(lambda: self.state() == "dead")
        failed = clickbpf(None, "load", "--resume", "-n", self.name, *self.options, "-e", self.text, check=False).stderr
        assert "the network namespace" in failed and "is gone" in failed
        clickbpf(None, "unload", self.name)
        self.line.renew(self.place)
        self.load()
        for router in self.account.routers:
            router.resume()
        self.account.traffic.plug_in()
        self.account.traffic.pause(False)
        return False

    def trace(self) -> bool:
        clickbpf(self.namespace, "trace", self.name, "-c", "5", check=False)
        return False

    def swap_while_traced(self) -> bool:
        tracing = commands.start(self.namespace, "trace", self.name, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.2, 2))
        self.swap_for_another()
        tracing.send_signal(signal.SIGINT)
        tracing.wait(timeout=120)
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
    *(Router.device_is_deleted, Router.is_looked_at, Router.runtime_stands_still, Router.kill_while_packets_wait, Router.unload_and_load),
    *(Router.swap_while_traced, Router.swap_while_all_is_refused),
    *(Router.device_is_deleted_and_router_replaced, Router.device_is_deleted_and_runtime_killed, Router.namespace_is_deleted),
)


@dataclass
class Account:
    """Frames that were sent and those that are known to have ended, from one pause to the next."""

    traffic: Traffic
    routers: tuple[Router, ...]
    line: Line
    missing: int = 0
    taken: int = 0
    wrong: list[str] = field(default_factory=list)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """No frame is sent, or on its way."""
        self.traffic.pause(True)
        self.settle()
        yield
        self.traffic.pause(False)

    def settle(self) -> None:
        seen, since = None, time.monotonic()
        while time.monotonic() < since + QUIET:
            now = self.traffic.received
            if now != seen:
                seen, since = now, time.monotonic()
            time.sleep(0.05)

    def balance(self) -> int:
        """Frames of which nothing is known."""
        return self.traffic.sent - self.traffic.received[0] - self.line.counted() - sum(router.drops() for router in self.routers)

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


def of_flows(hop: str = "") -> tuple[str, str, tuple[str, str]]:
    """A router's configuration, another one, and arguments, for frames of flows. A `hop` is a line of elements behind the Classifier."""
    text, other = (each.replace(ARGUMENTS[0], ARGUMENTS_OF_FLOWS[0]) for each in (TEXT, OTHER))
    if hop:
        text, other = (each.replace("-) ->", f"-) -> {hop} ->") + "StaticThreadSched(w 1);" for each in (text, other))
    return text, other, ARGUMENTS_OF_FLOWS


@contextmanager
def scene(rate: int, name: str, options: tuple[str, ...] = (), flows: int = 0, hop: str = "") -> Iterator[Account]:
    """The hosts, the routers, both with these options, and the sender, which has begun; its frames are of so many flows, or of none. A
    `hop` as in of_flows()."""
    with ExitStack() as undo:
        net = undo.enter_context(Network())
        line = Line(net)
        texts = of_flows(hop) if flows else ()
        user = "c" if flows else "h"
        routers = (Router(f"{name}k", line, 1, options, *texts), Router(f"{name}u", line, 2, (*options, "--user", user), *texts))
        for router in routers:
            router.load()
            undo.callback(clickbpf, None, "unload", router.name, check=False)
        traffic = Traffic(line.at[0], line.at[3], rate, undo, flows=flows)
        account = Account(traffic, routers, line)
        for router in routers:
            router.account = account
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
