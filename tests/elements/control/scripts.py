"""Routers with scripts, and what these print."""

from tests.elements.running import ran


def output_of(script: str, capsysbinary, rest: str = "") -> str:
    ran(f"s :: Script({script}); {rest}", clock=10**9)
    return capsysbinary.readouterr().out.decode()
