"""Tests of configurations with scapy packets: for clickbpf's own elements and for users' routers.

What a test needs comes from the pytest plugin (`clickbpf.testing.plugin`); `docs/testing.md` is its manual.
"""
