from __future__ import annotations

from clickbpf.vocabulary.element import read_handler

from ._bindings import BINDING_ARGS
from ._flows import TCP, UDP
from ._manual import ANNOTATIONS, CAPACITY, FILTER, HANDLERS, INDEPENDENT, INPUTSPEC, POLICY, PORT_PATTERN, PORTS, TCP_TIMES, WAYS
from ._rewriter import ANNO_ARGS, CAPACITY_ARGS, SPEC_ARGS, Rewriter
from ._timeouts import TCP_ARGS, UDP_ARGS, plain_times, tcp_times


class IPRewriter(Rewriter):
    __doc__ = f"""translates addresses and ports of TCP and UDP packets, flow by flow

    Synopsis: `IPRewriter(INPUTSPEC, ..., [keywords])`

    A flow begins with a packet that no flow is known for: the input's INPUTSPEC says what its packets become. From then on all
    packets with the same addresses, ports and protocol are rewritten alike, and the replies are rewritten back, whichever input
    they come by. Later fragments and packets other than TCP and UDP are dropped, except on a `pass` input.

    {POLICY}

    Arguments:

      {INPUTSPEC}
      {PORT_PATTERN}
      {TCP_TIMES}
      - UDP_TIMEOUT: how long UDP flows stay without packets. Default 5 minutes.
      - UDP_STREAMING_TIMEOUT: the same after three packets, with a reply among them. Default UDP_TIMEOUT.
      - UDP_GUARANTEE: how long a UDP flow stays for sure after a packet. Default 5 seconds.
      {CAPACITY}
      {INDEPENDENT}
      {FILTER}
      {ANNOTATIONS}

    {PORTS}

      - `tcp_table`, `udp_table` (read): a line for each direction of a flow: what packets have and get, both outputs, this
        direction's starred, the input that made it, and the seconds until its time is over. `tcp_mappings` and
        `udp_mappings` are older names.
      - `tcp_lookup` (read, with an argument): `SADDR SPORT DADDR DPORT` of a TCP packet gives what it would become, in the same
        form, or nothing if no flow is known.
      {HANDLERS}

    Example: a gateway that hides a network behind 192.0.2.1:

        nat :: IPRewriter(pattern 192.0.2.1 1024-65535# - - 0 1, drop);
        {WAYS}
    """

    args = (*SPEC_ARGS, *TCP_ARGS, *UDP_ARGS, *CAPACITY_ARGS, *BINDING_ARGS, *ANNO_ARGS)
    tracks_tcp = True

    def timeouts(self) -> dict[str, int]:
        return tcp_times(self.cfg) | plain_times(self.cfg, ("udp_timeout",), ("udp_streaming_timeout",), ("udp_guarantee",))

    @read_handler
    def tcp_table(self) -> str:
        return self.table((TCP,))

    @read_handler
    def udp_table(self) -> str:
        return self.table((UDP,))

    tcp_mappings = tcp_table

    udp_mappings = udp_table

    @read_handler
    def tcp_lookup(self, text: str) -> str:
        return self.look_up(text)
