from clickbpf.declare import ANEW, Held, Raw, Rest, Vars, u32

from ._mapper import IPMapper


class RoundRobinIPMapper(IPMapper):
    """chooses patterns for a rewriter's flows in turn

    Synopsis: `RoundRobinIPMapper(PATTERN FOUTPUT ROUTPUT, ...)`

    Its name is given as the INPUTSPEC of an input of a rewriter (such as IPRewriter), for example to spread connections over
    several servers. A new flow gets the next pattern; if that has no free port, the one after it, and so on. If the rewriter has
    INDEPENDENT, all flows of a source address and port get the same pattern.

    Arguments:

      - PATTERN FOUTPUT ROUTPUT: as in an INPUTSPEC of a rewriter; the pattern may be a name.

    Handlers:

      - `pattern0`, `pattern1`, ... (read, write): a pattern. A new pattern must have the same outputs, and applies to new flows.
      - `active0`, `active1`, ... (read, write): whether new flows may get the pattern. Existing flows continue in any case.

    Example: connections to 192.0.2.80 go to three servers in turn:

        servers :: RoundRobinIPMapper(- - 10.0.0.1 - 0 1, - - 10.0.0.2 - 0 1, - - 10.0.0.3 - 0 1);
        balancer :: IPRewriter(servers, pass 1);
        FromDevice(outside) -> Strip(14) -> CheckIPHeader -> [0] balancer;
        FromDevice(inside) -> Strip(14) -> CheckIPHeader -> [1] balancer;
        balancer[0] -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(inside);
        balancer[1] -> EtherEncap(0x0800, 02:00:00:00:00:03, 02:00:00:00:00:04) -> Queue -> ToDevice(outside);
    """

    args = (Rest("PATTERN", Raw()),)
    state_types = {**IPMapper.state_types, "vars": Vars(next=u32)}
    holds = (Held("whose turn it is", ANEW, ANEW),)
    derived = {"patterns": ("__u32", lambda self: len(self.specs))}

    def configure(self) -> None:
        self.parse_patterns(list(self.cfg.pattern), "PATTERN")
