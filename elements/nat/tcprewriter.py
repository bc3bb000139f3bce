from clickbpf.declare import read_handler

from ._manual import POLICY, PORT_PATTERN, PORTS, WAYS
from ._rewriter import ANNO_ARGS, CAPACITY_ARGS, SPEC_ARGS, Rewriter
from ._tables import TableHandlers
from ._timeouts import TCP_ARGS, plain_times, tcp_times


class TCPRewriter(TableHandlers, Rewriter):
    __doc__ = f"""translates addresses, ports and sequence numbers of TCP packets, flow by flow

    A packet of an unknown flow begins a flow by the input's INPUTSPEC. From then on all packets with the same addresses and ports
    are rewritten alike, and replies are rewritten back, on any input. Later fragments and packets other than TCP are dropped,
    except on a `pass` input.

    If another element, such as FTPPortMapper, changes the length of a stream, sequence and acknowledgement numbers of that flow are
    rewritten too, including selective acknowledgements. The kernel path hands over packets of such flows.

    {POLICY}

    Arguments:

      {PORT_PATTERN}

    {PORTS}

    Handlers:

      - `lookup` (read, with an argument): for `SADDR SPORT DADDR DPORT` of a TCP packet, its rewritten form, or nothing if its flow
        is unknown.

    Example: a gateway that hides a network behind 192.0.2.1:

        nat :: TCPRewriter(pattern 192.0.2.1 1024-65535# - - 0 1, drop);
        {WAYS}
    """

    args = (*SPEC_ARGS, *TCP_ARGS, *CAPACITY_ARGS, *ANNO_ARGS)
    tracks_tcp = True

    def timeouts(self) -> dict[str, int]:
        return tcp_times(self.cfg) | plain_times(self.cfg, (), (), ())

    lookup = read_handler(lambda self, text: self.look_up(text))
