"""Planning: where each element of a checked router runs, into which programs the kernel path is cut, and why."""

from clickbpf.plan.plan import plan
from clickbpf.plan.values import Options, Placement, Plan, Program

__all__ = ["Options", "Placement", "Plan", "Program", "plan"]
