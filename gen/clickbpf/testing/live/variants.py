"""Variants of loading a router, each to be compared with the router without a kernel path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from clickbpf.frozen import frozen

if TYPE_CHECKING:
    from clickbpf.testing.live.stage import Stage


def replaced(stage: Stage) -> None:
    """Replace the router by itself: with a kernel path and without one, state moves, and counters start again."""
    stage.clickbpf("load", "--replace", *stage.arguments)


def killed(stage: Stage) -> None:
    """Kill the runtime and start it again with the state that is in the kernel."""
    stage.kill()
    stage.clickbpf("load", "--resume", *stage.arguments)


def traced(stage: Stage) -> None:
    """Start a trace: until it ends, a kernel path that reports packets replaces the usual one."""
    stage.trace()


@frozen
class Variant:
    """Options of `load`, and an event half-way through the traffic. The event happens to both routers or, if it is not supposed to have any
    effect, `alone` to the one with the kernel path. If this one `forgets`, its elements in user space lose their state."""

    options: tuple[str, ...] = ()
    event: Callable[[Stage], None] | None = None
    alone: bool = False
    forgets: bool = False


#: The variant with which the others are compared.
PLAIN = "no-kernel"

VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        PLAIN: Variant(("--no-kernel",)),
        "xdp": Variant(),
        "tc": Variant(("--hook", "tc")),
        "generic": Variant(("--mode", "generic")),
        "chain": Variant(("--chain",)),
        "tc-chain": Variant(("--hook", "tc", "--chain")),
        "O1": Variant(("-O", "1")),
        "O3": Variant(("-O", "3")),
        "af_xdp": Variant(("--crossing", "af_xdp")),
        "threads": Variant(("--threads", "2")),
        "frags": Variant(("--frags",)),
        "short": Variant(("--program-limit", "500")),
        "traced": Variant((), traced, alone=True),
        "tc-traced": Variant(("--hook", "tc"), traced, alone=True),
        "replace": Variant((), replaced),
        "tc-replace": Variant(("--hook", "tc"), replaced),
        "killed": Variant((), killed, alone=True, forgets=True),
        "tc-killed": Variant(("--hook", "tc"), killed, alone=True, forgets=True),
    }
)
