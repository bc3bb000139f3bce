"""A finding of the doctor."""

from clickbpf.frozen import frozen

#: Levels: all is well; routers work, but more slowly or with fewer features; routers can't be loaded, or packets are lost.
GOOD, NOTE, PROBLEM = "good", "note", "problem"


@frozen
class Finding:
    """`subject` is "kernel", "machine" or a device; `level` is GOOD, NOTE or PROBLEM; `cure` is what to do, often a command."""

    subject: str
    what: str
    level: str = GOOD
    cure: str | None = None
