"""A runtime on a loaded kernel path: the same state, the handovers of its devices."""

from __future__ import annotations

from collections.abc import Container, Sequence
from contextlib import ExitStack, contextmanager
