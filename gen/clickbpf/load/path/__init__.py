"""Kernel paths: loading them, attaching them to devices, and runtimes that use them."""
