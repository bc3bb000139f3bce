from clickbpf.declare import Anno, Keyword

from ._flows import Mapping, address
from ._manual import ADDRESS_PATTERN, POLICY, PORTS, WAYS
from ._rewriter import CAPACITY_ARGS, SPEC_ARGS, Rewriter
from ._tables import TableHandlers
from ._timeouts import PLAIN_ARGS, address_times


class IPAddrPairRewriter(TableHandlers, Rewriter):
    __doc__ = f"""translates addresses of IP packets, pair by pair

    A packet of an unknown pair of hosts begins a flow by the input's INPUTSPEC. From then on packets from the one host to the other
    are rewritten alike, and replies are rewritten back, on any input. Works for all protocols and for fragments; the checksums of
    TCP and UDP are updated.

    {POLICY}

    Arguments:

      {ADDRESS_PATTERN}

    {PORTS}

    Example: a gateway that hides a network in 192.0.2.0/24:

        nat :: IPAddrPairRewriter(pattern 192.0.2.1-192.0.2.254# - 0 1, drop);
        {WAYS}
    """

    args = (
        *SPEC_ARGS,
        *PLAIN_ARGS,
        *CAPACITY_ARGS,
        Keyword("REPLY_ANNO", Anno(1), text="an annotation of one byte. Replies get the value that the flow's first packet had"),
    )
    uses_ports = False

    def timeouts(self) -> dict[str, int]:
        return address_times(self.cfg)

    def unparse(self, mapping: Mapping) -> str:
        key, new = mapping.key, mapping.rewritten
        return f"({address(key.saddr)}, {address(key.daddr)}) => ({address(new.saddr)}, {address(new.daddr)})"
