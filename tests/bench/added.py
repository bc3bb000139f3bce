"""What elements that used to end the kernel path cost on it: packets a second through the IP router with one of them, and without;
and of copies to four devices, beside single redirects. How it is measured says forwarding.py."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench import forwarding
from tests.bench.effort import Effort

WITHOUT = "IP router"
#: What comes between the router's ARPQuerier and its way out by eth1.
ADDED = {
    "a Print on a way that no packet takes": "c :: Classifier(12/88b5, -); c[0] -> Print -> Discard; c[1] ->",
    "a Tee to a second device": "t :: Tee(2); t[1] -> Queue -> ToDevice(eth2); t[0] ->",
    "a Meter": "m :: Meter(4000000); m[1] -> out1; m[0] ->",
    "a RatedSplitter": "s :: RatedSplitter(4000000); s[1] -> out1; s[0] ->",
    "SetTimestamp": "SetTimestamp ->",
    "a Counter with a call": "Counter(COUNT_CALL 4000000000000 stop) ->",
}
COPIES = 4
SINGLE = f"single redirects, {COPIES} for each packet"


def measure(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(what was added, packets a second in each round)."""
    with_added = {name: forwarding.routing(added) for name, added in ADDED.items()}
    return forwarding.compared({WITHOUT: forwarding.routing(), **with_added}, effort)


def measure_copies(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(by what, packets a second of which four copies leave, in each round)."""
    ends = "".join(f"t[{number}] -> Queue -> ToDevice(eth{number + 1}); " for number in range(COPIES))
    tee = forwarding.running(f'FromDevice(eth0) -> t :: Tee({COPIES}); {ends} Script(print "ready");')
    found = forwarding.compared({SINGLE: forwarding.redirecting("forward_mapped"), f"a Tee to {COPIES} devices": tee}, effort)
    return ((name, [rate / (COPIES if name == SINGLE else 1) for rate in rates]) for name, rates in found)
