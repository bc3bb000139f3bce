from clickbpf.declare import Keyword

from ._manual import POLICY, PORT_PATTERN, PORTS, WAYS
from ._rewriter import ANNO_ARGS, CAPACITY_ARGS, SECONDS, SPEC_ARGS, Rewriter
from ._tables import TableHandlers
from ._timeouts import PLAIN_ARGS, UDP_ARGS, plain_times


class UDPRewriter(TableHandlers, Rewriter):
    __doc__ = f"""translates addresses and ports of UDP, TCP and DCCP packets, flow by flow

    A packet of an unknown flow begins a flow by the input's INPUTSPEC. From then on all packets with the same addresses and ports
    are rewritten alike, and replies are rewritten back, on any input. Later fragments and packets of other protocols are dropped,
    except on a `pass` input. Protocols are not distinguished: a flow that began with UDP also matches TCP packets with the same
    ports. IPRewriter distinguishes them.

    {POLICY}

    Arguments:

      {PORT_PATTERN}
      - TIMEOUT (or UDP_TIMEOUT): how long flows stay without packets. Default 5 minutes.
      - STREAMING_TIMEOUT (or UDP_STREAMING_TIMEOUT): the same after three packets, with a reply among them. Default TIMEOUT.
      - GUARANTEE (or UDP_GUARANTEE): how long a flow can't be replaced after a packet. Default 5 seconds.

    {PORTS}

    Example: a gateway that hides a network behind 192.0.2.1:

        nat :: UDPRewriter(pattern 192.0.2.1 1024-65535# - - 0 1, drop);
        {WAYS}
    """

    args = (*SPEC_ARGS, *PLAIN_ARGS, *UDP_ARGS, Keyword("STREAMING_TIMEOUT", SECONDS), *CAPACITY_ARGS, *ANNO_ARGS)

    def timeouts(self) -> dict[str, int]:
        streaming = ("streaming_timeout", "udp_streaming_timeout")
        return plain_times(self.cfg, ("timeout", "udp_timeout"), streaming, ("guarantee", "udp_guarantee"))
