"""Placement: where each element of a checked router runs, how the kernel's part is cut into programs, and why."""

from clickbpf.plan.plan import plan
from clickbpf.plan.values import Options, Placement, Plan, Program

__all__ = ["Options", "Placement", "Plan", "Program", "plan"]
