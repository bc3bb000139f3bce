"""What `make bench` measures, in order: a suite of each subject."""

from __future__ import annotations

from tests.bench import (
    added,
    crossing,
    flows,
    forwarding,
    hooks,
    kernel,
    more,
    native,
    optimiser,
    overload,
    path,
    startup,
    tables,
    threads,
)
from tests.bench.results import Suite

SUITES = (
    Suite("kernel", "One packet through the IP router's kernel path", "ns", kernel.WRITTEN, kernel.measure),
    Suite("own-work", "The same without what a bare redirect takes", "ns", kernel.WRITTEN, kernel.measure_own_work),
    Suite("instructions", "BPF instructions that the packet executes", "instructions", kernel.WRITTEN, kernel.count),
    Suite("more", "One more element on a fused path", "ns", "Counter", more.measure),
    Suite("more-instructions", "BPF instructions of one more element", "instructions", "Counter", more.count),
    Suite("lines", "Lines of elements on a fused path", "ns", "Null", more.measure_lines, along="elements"),
    Suite("lines-instructions", "BPF instructions of lines of elements", "instructions", "Null", more.count_lines, along="elements"),
    Suite("path", "Each element of the IP router's path", "ns", path.WHOLE, path.measure),
    Suite("path-instructions", "BPF instructions of each element of the IP router's path", "instructions", path.WHOLE, path.count),
    Suite("optimiser", "The IP router's kernel path, optimised", "ns", optimiser.NOTHING, optimiser.measure),
    Suite("native", "One packet through the IP router's path in user space", "ns", native.BARE, native.measure),
    Suite("rules", "The slowest packet through a filter", "ns", tables.FEW_RULES, tables.measure_rules),
    Suite("routes", "A packet through a routing table", "ns", tables.FEW_ROUTES, tables.measure_routes),
    Suite("loads", "Loading a table", "s", tables.FEW_ROUTES, tables.measure_loads),
    Suite("memory", "Memory that loading it takes", "MB", tables.FEW_ROUTES, tables.measure_memory),
    Suite("nat", "A packet of many flows through IPRewriter", "ns", flows.LOOKUP, flows.measure_flows, along="flows"),
    Suite("nat-set-up", "First packets of flows through IPRewriter", "flows/s", flows.REWRITER, flows.measure_set_up, True, along="flows"),
    Suite("arp", "A packet to many hosts through ARPQuerier", "ns", flows.LOOKUP, flows.measure_hosts, along="hosts"),
    Suite("threads", "Threads in user space", "packets/s", threads.REFERENCE, threads.measure, True, along="threads"),
    Suite("threads-gain", "Two threads instead of one", "times as many packets", threads.REFERENCE, threads.measure_gain, True),
    Suite("start-up", "Having a router of many elements", "s", startup.BUILD, startup.measure, along="elements"),
    Suite("forwarding", "Forwarding between two veth pairs", "packets/s", forwarding.CEILING, forwarding.measure, True),
    Suite("hooks", "The IP router by hook", "packets/s", hooks.LINUX, hooks.measure, True),
    Suite("crossing", "To user space and back, on two CPUs", "packets/s", forwarding.CEILING, crossing.measure, True),
    Suite("one-cpu", "The same under overload on one CPU", "packets/s", forwarding.CEILING, crossing.measure_on_one_cpu, True),
    Suite("overload", "Output for input", "packets/s", overload.LINUX, overload.measure, True, along="% of what the generator makes"),
    Suite("latency", "From generator to sink at half load", "ns", forwarding.CEILING, overload.measure_half, along="percentile"),
    Suite("latency-full", "From generator to sink at full load", "ns", forwarding.CEILING, overload.measure_full, along="percentile"),
    Suite("added", "The IP router with one element more", "packets/s", added.WITHOUT, added.measure, True),
    Suite("copies", "Copies of each packet", "packets/s", added.SINGLE, added.measure_copies, True),
)
