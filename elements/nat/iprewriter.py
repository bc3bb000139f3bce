from clickbpf.declare import read_handler

from ._bindings import BINDING_ARGS
from ._flows import TCP, UDP
from ._manual import POLICY, PORT_PATTERN, PORTS, WAYS
from ._rewriter import ANNO_ARGS, CAPACITY_ARGS, SPEC_ARGS, Rewriter
from ._timeouts import TCP_ARGS, UDP_ARGS, plain_times, tcp_times


class IPRewriter(Rewriter):
    __doc__ = f"""translates addresses and ports of TCP and UDP packets, flow by flow

    A packet of an unknown flow begins a flow by the input's INPUTSPEC. From then on all packets with the same addresses, ports and
    protocol are rewritten alike, and replies are rewritten back, on any input. Later fragments and packets other than TCP and UDP
    are dropped, except on a `pass` input.

    {POLICY}

    Arguments:

      {PORT_PATTERN}

    {PORTS}

    Handlers:

      - `tcp_table`, `udp_table` (read): a line for each direction of a flow: the packets' fields before and after, both outputs,
        this direction's starred, the input that made it, and the seconds until it expires. `tcp_mappings` and `udp_mappings` are
        older names.
      - `tcp_lookup` (read, with an argument): for `SADDR SPORT DADDR DPORT` of a TCP packet, its rewritten form, or nothing if its
        flow is unknown.

    Example: a gateway that hides a network behind 192.0.2.1:

        nat :: IPRewriter(pattern 192.0.2.1 1024-65535# - - 0 1, drop);
        {WAYS}
    """

    args = (*SPEC_ARGS, *TCP_ARGS, *UDP_ARGS, *CAPACITY_ARGS, *BINDING_ARGS, *ANNO_ARGS)
    tracks_tcp = True

    def timeouts(self) -> dict[str, int]:
        return tcp_times(self.cfg) | plain_times(self.cfg, ("udp_timeout",), ("udp_streaming_timeout",), ("udp_guarantee",))

    tcp_table = read_handler(lambda self: self.table((TCP,)))
    udp_table = read_handler(lambda self: self.table((UDP,)))

    tcp_mappings = tcp_table

    udp_mappings = udp_table

    tcp_lookup = read_handler(lambda self, text: self.look_up(text))
