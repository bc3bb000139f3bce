"""Tests of configurations with scapy packets: for clickbpf's own elements and for users' routers.

Tests use the fixtures of the pytest plugin (`clickbpf.testing.plugin`); its manual is `docs/testing.md`.
"""
