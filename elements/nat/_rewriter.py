"""The base of rewriters: arguments, state, handlers. In C: rewriter.inc.h and, for the runtime, instance.inc.h."""

import ctypes
import errno
import struct
from collections.abc import Iterable
from typing import Any, Self

from clickbpf.declare import (
    KEPT, MARKED, PUSH, SAME, THREAD_SAFE, Anno, ArgError, Bool, Companion, Constants, Element, Held, IPAddress, IPPort, Integer, Keyword,
    Raw, RemotelyCalled, Rest, Time, Vars, expect_one_per_port, is_a, numbered_handlers, read_each, read_handler, split_args,
    split_words, u32, u64, write_handler,
)
from clickbpf.vocabulary.state import address as address_of

from ..common._clock import now
from ..tables._index import buckets, index_state
from . import _flows
from ._bindings import binding_constants, bindings, check_bindings
from ._flows import FLOWS, SPARE, Key, Mark, address
from ._spec import Spec, describe, parse_spec, spec_state
from ._structures import HEADERS

SECOND = 10**9
#: The default and the largest MAPPING_CAPACITY.
DEFAULT_CAPACITY, MOST = 1 << 16, 1 << 22

#: LLRPCs that rewrite a flow of a protocol, and its form.
MAP_FLOW = {8: _flows.TCP, 9: _flows.UDP}
FLOW = struct.Struct(">IIHH")

SECONDS = Time(digits=0, high=0xFFFFFFFF * SECOND)

CAPACITY_ARGS = (
    Keyword("MAPPING_CAPACITY", Raw(), text="how many flows there may be, at most 4194304; or the name of another rewriter, to share its "
        "capacity. Default 65536. Each takes 64 bytes, and 32 to 64 in an index"),
    Keyword("CAPACITY", Raw(), text=SAME),
    Keyword("REAP_INTERVAL", SECONDS, text="how often expired flows are removed; 0 for never. Default 15 minutes. Until then a packet may "
        "revive them"),
    Keyword("REAP_TIME", SECONDS, text=SAME),
)
SPEC_ARGS = (
    Rest("INPUTSPEC", Raw(), "for each input, what to do with packets of unknown flows. `drop` (or `discard`): drop them. `pass [OUTPUT]` "
        "(or `passthrough`, `nochange`): pass them unchanged, without a flow; also packets that the element can't rewrite, which other "
        "inputs drop. `keep FOUTPUT ROUTPUT`: begin a flow whose packets stay unchanged, and leave by FOUTPUT, replies by ROUTPUT. "
        "`pattern PATTERN FOUTPUT ROUTPUT`: begin a flow whose packets are rewritten by the pattern. `ELEMENT`: let a mapper, such as "
        "RoundRobinIPMapper, choose"),
)
ANNO_ARGS = (
    Keyword("DST_ANNO", Bool(), True, "whether the destination annotation becomes the new destination address"),
    Keyword("REPLY_ANNO", Anno(1), text="an annotation of one byte. Replies get the value that the flow's first packet had"),
)
REAP_INTERVAL = 15 * 60 * SECOND


def configured_capacity(element: str, context: Any) -> tuple[str, int | None]:
    """The rewriter whose capacity this one uses, and the configured capacity. Raises ArgError."""
    seen = [element]
    while True:
        declared = _given(context.router.element(seen[-1]).config)
        if declared is None:
            return seen[-1], None
        try:
            return seen[-1], Integer(32, high=MOST).parse(declared, context)
        except ArgError as error:
            other = context.find(declared)
            class_ = context.class_of(other) if other else None
            if class_ is None or not is_a(class_, "Rewriter"):
                wrong = error if declared.lstrip("-").isdigit() else ArgError("expected a number of flows or a rewriter's name")
                raise ArgError("bad MAPPING_CAPACITY", wrong.hint or wrong.message) from None
        if other in seen:
            raise ArgError(f"MAPPING_CAPACITY of {', '.join(seen)}: each is another's, and none says what it is")
        seen.append(other)


def _given(config: str) -> str | None:
    """The text of MAPPING_CAPACITY or CAPACITY in a configuration string."""
    for text, _ in split_args(config):
        name, _, value = text.partition(" ")
        if name in ("MAPPING_CAPACITY", "CAPACITY") and value.strip():
            return value.strip()
    return None


def annotations_written(element: Element) -> tuple[tuple[int, int], ...]:
    """Element.annotations_written() of a class with DST_ANNO or REPLY_ANNO."""
    anno = getattr(element.cfg, "reply_anno", None)
    written = ((0, 4),) if getattr(element.cfg, "dst_anno", True) else ()
    return written if anno is None else (*written, (anno, 1))


class Rewriter(RemotelyCalled, Companion, ports="1-/1-", processing=PUSH, flow="x/x", traits=THREAD_SAFE):
    """A rewriter: INPUTSPECs, flows, timeouts."""

    same_form = True
    takes = (MARKED,)
    operations = ("SPECIFY", "SHRINK", "TAKE_OVER")
    headers = HEADERS
    weight = 350
    #: The hash key; the number of words without room in the index; the highest flow number used so far; for the owner of a
    #: capacity, its limit and the number of flows.
    state_types = {
        "flows": FLOWS,
        "buckets": index_state(lambda element: 2 * element.numbers),
        "inputs": spec_state(lambda element: element.ninputs),
        "vars": Vars(key=u64 * 2, highest=u32, outside=u32, capacity=u32, size=u32),
    }
    holds = (Held("flows", KEPT, KEPT),)
    #: Which fields of packets are in a flow's key, and whether ports hold one identifier (ICMP echo).
    uses_ports, uses_destination, pairs_ports = True, True, False
    #: Whether TCP flows have states, and sequence numbers are rewritten.
    tracks_tcp = False

    def configure(self) -> None:
        check_bindings(self.cfg)
        self.specs = self._parse_specs()
        self.set_owner, capacity = configured_capacity(self.name, self.context)
        self.capacity = DEFAULT_CAPACITY if capacity is None else capacity
        #: Flow numbers, from 1.
        self.numbers = self.capacity + SPARE

    def _parse_specs(self) -> list[Spec]:
        texts = self.cfg.inputspec
        expect_one_per_port(self, "input", texts)
        specs = read_each("INPUTSPEC", texts, lambda text, _: parse_spec(text, self.context, self.noutputs), "input spec {index}: {}")
        return specs

    # -- C -----------------------------------------------------------------------------------------------------------

    def timeouts(self) -> dict[str, int]:
        """Nanoseconds: plain, streaming, plain_guarantee; tcp_nodata, tcp_data, tcp_done, tcp_unanswered, tcp_guarantee."""
        raise NotImplementedError(type(self).__name__)

    def constants(self) -> Constants:
        times = {**dict.fromkeys(("tcp_nodata", "tcp_data", "tcp_done", "tcp_unanswered", "tcp_guarantee"), 0), **self.timeouts()}
        anno = getattr(self.cfg, "reply_anno", None)
        reap = next((t for t in (self.cfg.reap_interval, self.cfg.reap_time) if t is not None), REAP_INTERVAL)
        flags = {
            "tracks_tcp": self.tracks_tcp,
            "tracks_udp": times["streaming"] != times["plain"],
            "uses_ports": self.uses_ports,
            "uses_destination": self.uses_destination,
            "pairs_ports": self.pairs_ports,
            "dst_anno": getattr(self.cfg, "dst_anno", True),
        }
        return {
            **{name: ("__u64", f"{time}ull") for name, time in (times | {"reap_interval": reap}).items()},
            **{name: ("bool", "true" if value else "false") for name, value in flags.items()},
            "reply_anno": ("int", "-1" if anno is None else str(anno)),
            "mask": ("__u32", str(buckets(2 * self.numbers) - 1)),
            "numbers": ("__u32", str(self.numbers)),
            **binding_constants(self.cfg),
        }

    def works_on(self) -> set[str]:
        """The owner of the set of flows, and mappers and patterns, which others may share."""
        return ({self.set_owner} | {spec.element for spec in self.specs if spec.element}) - {self.name}

    def refers_to(self) -> dict[str, str]:
        return {} if self.set_owner == self.name else {"owner": self.set_owner}

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return annotations_written(self)

    def initialise(self) -> None:
        variables = self.state.vars
        variables.capacity = self.capacity
        # Until take_state() the kernel path hands over packets of flows that it doesn't find.
        variables.outside = self.hotswap_element() is not None
        for value, spec in zip(self.state.inputs, self.specs):
            spec.store(value, self.context.router.position)

    def take_state(self, before: Self) -> None:
        """Take over flows, and the count of failures. Flows of inputs or outputs that no longer exist end."""
        for value, old in zip(self.state.inputs, before.state.inputs):
            value.failures = old.failures
        self.runtime.control("TAKE_OVER", (ctypes.c_uint64 * 2)(address_of(before.state.flows), before.state.vars.highest))

    # -- flows -------------------------------------------------------------------------------------------------------

    def live_flows(self) -> Iterable[Any]:
        return _flows.live(self.state.flows, self.state.vars.highest)

    def table(self, protocols: tuple[int, ...] = ()) -> str:
        """A line for each direction of each flow, of all or of some protocols."""
        time = now(self)
        found = (f for f in self.live_flows() if not protocols or f.protocol in protocols)
        return "".join(f"{self.unparse(m)}{self._outcome(m, time)}\n" for flow in found for m in _flows.mappings(flow))

    def unparse(self, mapping: _flows.Mapping) -> str:
        delta = mapping.flow.sequence_delta[mapping.direction]
        shifted = f" seq {delta:+}" if delta else ""
        return f"{_unparse_key(mapping.key)} => {_unparse_key(mapping.rewritten)}{shifted}"

    def _outcome(self, mapping: _flows.Mapping, time: int) -> str:
        """Outputs for packets and replies, this direction's starred; input; seconds left, rounded."""
        flow = mapping.flow
        stars = ["*" if d == mapping.direction else "" for d in (0, 1)]
        # The kernel's clock may be a little ahead.
        left = min(flow.seen, time) // 10**6 + self.stays(flow) // 10**6 + 500 - time // 10**6
        return f" [{stars[0]}{flow.output[0]} {stars[1]}{flow.output[1]}] i{flow.input} exp{max(left, 0) // 1000}"

    def stays(self, flow: Any) -> int:
        """A flow's timeout without packets, in ns."""
        times, tracked = self.timeouts(), flow.tracked
        if self.tracks_tcp and flow.protocol == _flows.TCP:
            if flow.marks & Mark.UNANSWERED:
                return times["tcp_unanswered"]
            if tracked & 3 == 3:
                return times["tcp_done"]
            return times["tcp_data" if tracked & 12 == 12 else "tcp_nodata"]
        return times["streaming" if tracked > 6 and not flow.marks & Mark.UNANSWERED else "plain"]

    def look_up(self, text: str) -> str:
        """`SADDR SPORT DADDR DPORT` of a TCP packet, rewritten; nothing if no flow is known for it."""
        words = split_words(text)
        if len(words) != 4:
            raise ArgError("expected SADDR SPORT DADDR DPORT")
        saddr, daddr = (int(IPAddress().parse(words[i], self.context)) for i in (0, 2))
        sport, dport = (IPPort().parse(words[i], self.context) for i in (1, 3))
        new = self.rewritten(Key(saddr, sport, daddr, dport), _flows.TCP)
        return f"{address(new.saddr)} {new.sport} {address(new.daddr)} {new.dport}" if new else ""

    def rewritten(self, key: Key, protocol: int) -> Key | None:
        """The rewritten form of a packet of a known flow."""
        flows = (flow for flow in self.live_flows() if flow.protocol == protocol)
        return next((m.rewritten for flow in flows for m in _flows.mappings(flow) if m.key == key), None)

    def llrpc(self, number: int, data: bytes) -> bytes:
        """Rewrite a flow's source, destination and ports, as they are in packets."""
        if number not in MAP_FLOW or len(data) != FLOW.size or not self.uses_ports or self.pairs_ports:
            return super().llrpc(number, data)
        saddr, daddr, sport, dport = FLOW.unpack(data)
        new = self.rewritten(Key(saddr, sport, daddr, dport), MAP_FLOW[number])
        if new is None:
            raise OSError(errno.EAGAIN, "no such flow")
        return FLOW.pack(new.saddr, new.daddr, new.sport, new.dport)

    # -- handlers ----------------------------------------------------------------------------------------------------

    def owner(self) -> Self:
        """The rewriter that owns the capacity."""
        if self.set_owner == self.name:
            return self
        return self._keeper().element(self.set_owner)

    def _keeper(self) -> Any:
        """The runtime, which keeps the flows."""
        if self.runtime is None:
            raise ArgError("the runtime, which keeps the flows, is not running")
        return self.runtime

    table_size = read_handler(lambda self: str(self.state.inputs.sum("count")), text="how many flows there are")

    nmappings = table_size

    @read_handler
    def mapping_failures(self) -> str:
        """packets refused a flow: no free port or address, or no room."""
        return str(self.state.inputs.sum("failures"))

    @read_handler
    def bindings(self) -> str:
        """a line for each source with flows: protocol, address and port, rewritten address and port, and the number of flows."""
        return bindings(self.live_flows())

    @read_handler
    def patterns(self) -> str:
        """a line for each input, with the number of flows it has made; `pattern0`, `pattern1`, ... (read, write) for one input.
        Writing an INPUTSPEC ends the flows made by the input.
        """
        return "".join(map(describe, self.state.inputs))

    size = read_handler(lambda self: str(self.owner().state.vars.size), text="how many all rewriters have that share the capacity")

    @read_handler("capacity")
    def read_capacity(self) -> str:
        """their limit, which can be changed up to the configured value."""
        return str(self.owner().state.vars.capacity)

    @write_handler("capacity")
    def write_capacity(self, text: str) -> None:
        capacity = Integer(32).parse(text.strip(), self.context)
        if capacity > self.capacity:
            raise ArgError(f"there is room for {self.capacity} flows", "MAPPING_CAPACITY in the configuration makes more")
        keeper = self._keeper()
        self.owner().state.vars.capacity = capacity
        keeper.control("SHRINK", capacity)

    @write_handler
    def clear(self, text: str) -> None:
        """ends all flows."""
        self._keeper().control("SHRINK", 0)

    def specify(self, number: int, text: str) -> None:
        """Change an input's specification; its flows end."""
        keeper = self._keeper()
        spec = parse_spec(text, self.context, self.noutputs)
        values = (self.state_types["inputs"].struct * 1)()
        spec.store(values[0], self.context.router.position)
        values[0].input = number
        keeper.control("SPECIFY", values)

    def describe(self, number: int) -> str:
        return describe(self.state.inputs[number])

    pattern = numbered_handlers(lambda element: element.ninputs, describe, specify)


def _unparse_key(key: Key) -> str:
    return f"({address(key.saddr)}, {key.sport}, {address(key.daddr)}, {key.dport})"
