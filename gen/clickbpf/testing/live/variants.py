"""The ways to load a router that are compared with the router without a kernel path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from clickbpf.frozen import frozen

if TYPE_CHECKING:
    from clickbpf.testing.live.stage import Stage


def replaced(stage: Stage) -> None:
    """The router takes its own place: state moves, and counters start again, with a kernel path and without."""
    stage.clickbpf("load", "--replace", *stage.arguments)


def killed(stage: Stage) -> None:
    """The runtime dies and is started again with the state that is in the kernel."""
    stage.kill()
    stage.clickbpf("load", "--resume", *stage.arguments)


def traced(stage: Stage) -> None:
    """The kernel path is exchanged for one that reports packets, and stays so for as long as the trace runs."""
    stage.trace()


@frozen
class Variant:
    """Options of `load`, and what happens in the middle of the traffic: to both routers or, if it is to make no difference at all, `alone`
    to the one with the kernel path. If that one `forgets`, elements that run in user space begin anew."""

    options: tuple[str, ...] = ()
    event: Callable[[Stage], None] | None = None
    alone: bool = False
    forgets: bool = False


#: What the others are compared with.
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
