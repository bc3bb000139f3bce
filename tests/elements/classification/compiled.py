"""What IPClassifier compiles patterns to."""

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library


def program(patterns: str, outputs: int = 1, declarations: str = "") -> str:
    """The program of an IPClassifier."""
    ends = "".join(f"x[{port}] -> Discard;" for port in range(outputs))
    router = check_text(f"{declarations} x :: IPClassifier({patterns}); Idle -> x; {ends}", Library.standard())
    return router.instances["x"].read_program()
