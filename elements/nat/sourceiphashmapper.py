from typing import NamedTuple

from clickbpf.declare import ArgError, Array, Context, Integer, Raw, Required, Rest, Type, Vars, split_words, u32

from ._mapper import IPMapper
from ._ring import points, wrapped_to


class Hashing(NamedTuple):
    """The number of points of each server on the ring, and the seed of their random numbers."""

    points: int
    seed: int


class HashParameters(Type):
    described = "two integers with a space between them, the points of each server on the ring and a seed"
    wrong_in_click = "requires 2 config params: numnodes seed"

    def parse(self, text: str, context: Context = Context()) -> Hashing:
        words = split_words(text)
        if len(words) != 2:
            raise self.wrong(text)
        try:
            return Hashing(Integer(32, low=1).parse(words[0], context), Integer(32, signed=True).parse(words[1], context))
        except ArgError:
            raise ArgError("number of nodes and hash seed must be integers") from None


class SourceIPHashMapper(IPMapper):
    """chooses patterns for a rewriter's flows by their source address

    Synopsis: `SourceIPHashMapper(NODES SEED, PATTERN FOUTPUT ROUTPUT ID, ...)`

    Its name is given as the INPUTSPEC of an input of a rewriter (such as IPRewriter), for example to spread clients over several
    servers. All flows of a client get the same pattern, by consistent hashing: patterns have points on a ring, and an address gets
    the pattern of the next point. So when a pattern is added or removed, most clients keep theirs.

    Arguments:

      - SEED: the seed of the points' random numbers; the same seed gives the same points.
      - PATTERN FOUTPUT ROUTPUT: as in an INPUTSPEC of a rewriter; the pattern may be a name.
      - ID: a number whose lower 16 bits determine the pattern's points, whatever its position.

    Handlers:

      - `pattern0`, `pattern1`, ... (read, write): a pattern. A new pattern must have the same outputs, and applies to new flows.
      - `active0`, `active1`, ... (read, write): whether new flows may get the pattern; otherwise its clients get the patterns of
        the next points. Existing flows continue in any case.

    Example: each client has its server:

        servers :: SourceIPHashMapper(20 1, - - 10.0.0.1 - 0 1 1, - - 10.0.0.2 - 0 1 2, - - 10.0.0.3 - 0 1 3);
        balancer :: IPRewriter(servers, pass 1);
        FromDevice(outside) -> Strip(14) -> CheckIPHeader -> [0] balancer;
        FromDevice(inside) -> Strip(14) -> CheckIPHeader -> [1] balancer;
        balancer[0] -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(inside);
        balancer[1] -> EtherEncap(0x0800, 02:00:00:00:00:03, 02:00:00:00:00:04) -> Queue -> ToDevice(outside);
    """

    args = (
        Required("NODES", HashParameters(), "how many points a pattern has on the ring. More points spread clients more evenly"),
        Rest("PATTERN", Raw()),
    )
    #: The ring: its points in order, each with the number of its pattern; `wrap` is the point after the last.
    state_types = {
        **IPMapper.state_types,
        "ring": Array(lambda element: len(element.ring), key=u32, spec=u32),
        "vars": Vars(wrap=u32),
    }
    holds = ()
    derived = {"points": ("__u32", lambda self: len(self.ring))}

    @classmethod
    def pattern_texts(cls, config: list[str]) -> list[str]:
        return [_split(text)[0] for text in config[1:]]

    def configure(self) -> None:
        texts, identities = [], []
        for number, text in enumerate(self.cfg.pattern):
            pattern, word = _split(text)
            try:
                identities.append(Integer(31).parse(word, self.context) & 0xFFFF)
            except ArgError:
                raise ArgError("bad server ID in pattern spec", argument="PATTERN", index=number) from None
            texts.append(pattern)
        self.parse_patterns(texts, "PATTERN")
        self.ring = points(identities, *self.cfg.nodes)

    def initialise(self) -> None:
        super().initialise()
        for value, (key, spec) in zip(self.state.ring, self.ring):
            value.key, value.spec = key, spec
        self.state.vars.wrap = wrapped_to(len(self.ring))


def _split(text: str) -> tuple[str, str]:
    """The pattern with its outputs, and the word at the end, which is its ID."""
    *pattern, word = text.rsplit(None, 1) or [""]
    return "".join(pattern), word
