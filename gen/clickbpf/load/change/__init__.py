"""Replaces the kernel path of a running router: by another router's, by one with other arguments, or by an instrumented build."""
