"""clickbpf: Click configurations, compiled to a BPF fast path and a native user-space runtime."""

__version__ = "0.1.0"
