"""What the classes that count cycles have in common: what a cycle is."""

#: Part of the manual pages, which begins where the page indents it.
CYCLES = """BPF programs can't read a CPU's cycle counter. So a cycle is a nanosecond here, on the kernel path and in the runtime: all
    CPUs share that clock, and its speed doesn't change as a CPU's does. To read it costs some 30 of them."""
