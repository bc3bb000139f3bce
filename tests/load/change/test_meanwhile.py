"""Builds for traces, and changes of the router meanwhile: the build is of the router that there is when it begins."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from clickbpf.compile import Compilation, check_text
from clickbpf.load.change import exchange, takeover, tracing
from clickbpf.load.change.takeover import Service
from clickbpf.load.change.tracing import Counting, TraceRequest, Tracing
from clickbpf.load.files.places import RunFolder
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("clang-19")


class Build:
    """Begins whatever there is; while it is being made, another router may take its router's place."""

    def __init__(self, runtime: str, meanwhile):
        self.runtime, self.ended = runtime, False
        meanwhile()

    def begin(self) -> bool:
        return True

    def end(self) -> None:
        self.ended = True


def test_a_router_replaced_meanwhile(monkeypatch):
    """The old one's maps are closed by then, and their numbers may be others'."""
    service, made = Service(Path("/nonexistent"), RunFolder(Path("/nonexistent"))), []
    service.runtime = "old"

    def make(now: str, *_) -> Build:
        made.append(Build(now, lambda: setattr(service, "runtime", "new")))
        return made[-1]

    monkeypatch.setattr(takeover, "Tracing", make)
    with service._traced(TraceRequest().to_text()):
        assert [each.runtime for each in made] == ["old", "new"]
        assert service._trace is made[1]
    assert [each.ended for each in made] == [False, True]


def test_arguments_changed_meanwhile(monkeypatch):
    """A filter's new rules are those of a trace, too."""
    made = Compilation(check_text("FromDevice(a) -> p :: Paint(3) -> Discard;", Library.standard()))
    with Runtime(made) as runtime:
        runtime.initialise()
        build = Tracing(runtime, None, TraceRequest(), 1)
        begun = []

        @contextmanager
        def other_programs(runtime, changed, variables):
            runtime.handlers.write("p", "config", "4")
            yield changed, None

        monkeypatch.setattr(tracing, "other_programs", other_programs)
        monkeypatch.setattr(build, "_change", lambda *arguments: begun.append(arguments))
        kernel = runtime.kernel
        assert build.begin() is False
        assert not begun and runtime.kernel is kernel


def test_counts_give_way_to_a_script_whatever_the_service_is_doing(monkeypatch):
    """The script has the handlers' lock, for which whoever changes the service's router waits."""
    made = Compilation(check_text("FromDevice(a) -> p :: Paint(3) -> Discard;", Library.standard()))
    service = Service(Path("/nonexistent"), RunFolder(Path("/nonexistent")))
    with Runtime(made) as runtime:
        runtime.initialise()
        service.runtime, build = runtime, Counting(runtime, None)
        monkeypatch.setattr(tracing, "other_programs", lambda runtime, changed, variables: nullcontext((changed, None)))
        monkeypatch.setattr(build, "_switch_on", lambda path: lambda: None)
        monkeypatch.setattr(build, "_change", lambda *arguments: None)
        plain = runtime.kernel
        assert service._begin(build) and runtime.kernel == build._kernel
        with service.swapping, runtime.kernel(made):
            assert runtime.kernel is plain and build.read() is None


def test_packets_on_the_inlet_are_taken_before_the_handovers_change(monkeypatch):
    """However the programs of a router on TC change, the old ones' packets are still on the cable when these have ended."""
    steps: list[str] = []
    monkeypatch.setattr(exchange, "wait_for_programs", lambda: steps.append("ended"))
    monkeypatch.setattr(exchange.inlet, "cross", lambda devices: steps.append(f"crossed {devices}") or True)
    monkeypatch.setattr(exchange, "entries", lambda path, devices: [])
    runtime = SimpleNamespace(interfaces="devices", instances={}, change_handovers=lambda hash, annotations: steps.append(f"hash {hash}"))
    runtime.path = SimpleNamespace(spreads={}, hops=None)
    path = SimpleNamespace(manifest=SimpleNamespace(hash=7), programs={}, hops=None)
    exchange.exchange_path(runtime, SimpleNamespace(annotations=()), path, {}, SimpleNamespace(programs={}))
    assert steps == ["ended", "crossed devices", "ended", "hash 7"]
