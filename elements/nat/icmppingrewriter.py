from ._bindings import INDEPENDENT_ARGS
from ._flows import Mapping, address
from ._manual import POLICY, PORTS, WAYS
from ._rewriter import ANNO_ARGS, CAPACITY_ARGS, SPEC_ARGS, Rewriter
from ._tables import TableHandlers
from ._timeouts import PLAIN_ARGS, plain_times


class ICMPPingRewriter(TableHandlers, Rewriter):
    __doc__ = f"""translates addresses and identifiers of ICMP echo requests and replies

    An echo request with unknown addresses and identifier begins a flow by the input's INPUTSPEC. From then on such requests are
    rewritten alike, and replies are rewritten back, on any input. Replies to unknown requests, later fragments and other packets
    are dropped, except on a `pass` input.

    {POLICY}

    Arguments:

      - PATTERN: `SADDR IDENTIFIER DADDR -`, where `-` leaves a field as it is, or a name that IPRewriterPatterns defines.
        IDENTIFIER may be a range `LOW-HIGH`; then no two hosts that ping the same destination get the same identifier. The
        request's own identifier is preferred, otherwise one is chosen at random; with `LOW-HIGH?` always at random, with
        `LOW-HIGH#` in order. Without a free one the packet is dropped. `SADDR DADDR IDENTIFIER` means the same.
      - TIMEOUT: how long flows stay without packets. Default 5 minutes.

    {PORTS}

    Example: pings from behind 192.0.2.1:

        nat :: ICMPPingRewriter(pattern 192.0.2.1 0-65535# - - 0 1, drop);
        {WAYS}
    """

    args = (*SPEC_ARGS, *PLAIN_ARGS, *CAPACITY_ARGS, *INDEPENDENT_ARGS, *ANNO_ARGS)
    pairs_ports = True

    def timeouts(self) -> dict[str, int]:
        return plain_times(self.cfg, ("timeout",), (), ("guarantee",))

    def unparse(self, mapping: Mapping) -> str:
        """Identifiers are the source port of requests, the destination port of replies."""
        old, new = (
            f"({address(k.saddr)}, {address(k.daddr)}, {k.dport if mapping.direction else k.sport})"
            for k in (mapping.key, mapping.rewritten)
        )
        return f"{old} => {new}"
