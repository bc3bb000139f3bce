"""Routers with scripts, and what these print."""

from clickbpf.compile import Compilation
from clickbpf.graph.check import check
from clickbpf.graph.elaborate import read_text
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library


def start(text: str, **options) -> Runtime:
    return Runtime(Compilation(check(read_text(text), Library.standard())), **options)


def output_of(script: str, capsysbinary, rest: str = "") -> str:
    with start(f"s :: Script({script}); {rest}", clock=10**9) as router:
        router.settle()
    return capsysbinary.readouterr().out.decode()
