from clickbpf.declare import read_handler

from ._manual import CAPACITY, HANDLERS, POLICY, PORT_PATTERN, PORTS, TCP_TIMES, WAYS
from ._rewriter import ANNO_ARGS, CAPACITY_ARGS, SPEC_ARGS, Rewriter
from ._tables import TableHandlers
from ._timeouts import TCP_ARGS, plain_times, tcp_times


class TCPRewriter(TableHandlers, Rewriter):
    __doc__ = f"""translates addresses, ports and sequence numbers of TCP packets, flow by flow

    A flow begins with a packet that no flow is known for: the input's INPUTSPEC says what its packets become. From then on all
    packets with the same addresses and ports are rewritten alike, and the replies are rewritten back, whichever input
    they come by. Later fragments and packets other than TCP are dropped, except on a `pass` input.

    Other elements may make a stream longer or shorter, as FTPPortMapper does. Then sequence and acknowledgement numbers of that
    flow are rewritten too, those of selective acknowledgements included. Such flows are the runtime's.

    {POLICY}

    Arguments:

      {PORT_PATTERN}
      {TCP_TIMES}
      {CAPACITY}

    {PORTS}

      - `lookup` (read, with an argument): `SADDR SPORT DADDR DPORT` of a TCP packet gives what it would become, in the same
        form, or nothing if no flow is known.
      {HANDLERS}

    Example: a gateway that hides a network behind 192.0.2.1:

        nat :: TCPRewriter(pattern 192.0.2.1 1024-65535# - - 0 1, drop);
        {WAYS}
    """

    args = (*SPEC_ARGS, *TCP_ARGS, *CAPACITY_ARGS, *ANNO_ARGS)
    tracks_tcp = True

    def timeouts(self) -> dict[str, int]:
        return tcp_times(self.cfg) | plain_times(self.cfg, (), (), ())

    lookup = read_handler(lambda self, text: self.look_up(text))
