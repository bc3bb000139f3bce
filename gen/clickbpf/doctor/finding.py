"""One thing that was found out."""

from clickbpf.frozen import frozen

#: As it should be; it works, but slower or with less; routers can't be loaded, or packets are lost.
GOOD, NOTE, PROBLEM = "good", "note", "problem"


@frozen
class Finding:
    """`subject` is "kernel", "machine" or a device; `level` one of GOOD, NOTE, PROBLEM; `cure` what to do, often a command."""

    subject: str
    what: str
    level: str = GOOD
    cure: str | None = None
