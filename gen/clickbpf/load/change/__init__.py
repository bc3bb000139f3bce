"""Replacing the kernel path of a running router: by another router's, by one with other arguments, by an instrumented build."""
