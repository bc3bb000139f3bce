"""The Click configuration language: text to syntax tree and back.

`parse` makes the tree of a text (`clickbpf.lang.ast`), `unparse` the canonical text of a tree.  A configuration string is a
language of its own: `clickbpf.lang.config`.
"""

from clickbpf.lang.parser import parse
from clickbpf.lang.unparse import unparse

__all__ = ["parse", "unparse"]
