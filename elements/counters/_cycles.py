"""The meaning of a cycle, for the manual pages of the classes that count cycles."""

#: Part of the manual pages; its first line is indented by the page.
CYCLES = """BPF programs can't read a CPU's cycle counter. So a cycle is a nanosecond here, on the kernel path and in the runtime:
    all CPUs share that clock, and its speed is constant, unlike a CPU's. Reading the clock takes some 30 cycles."""
