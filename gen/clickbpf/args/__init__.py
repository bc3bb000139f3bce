"""Arguments of element classes: their declarations, their types, and the names that they may use.

Files of element classes import all that from clickbpf.declare.
"""

from clickbpf.args.context import NOWHERE, Context
from clickbpf.args.declare import SAME, Argument, Keyword, Optional, Required, RequiredKeyword, Rest
from clickbpf.args.error import MOST_MISTAKES, ArgError
from clickbpf.args.names import Names
from clickbpf.args.types import *  # noqa: F403 – the types, as listed there
from clickbpf.args.types import __all__ as _types
from clickbpf.args.values import Ether, HandlerName, Prefix

__all__ = [
    "MOST_MISTAKES", "NOWHERE", "SAME", "ArgError", "Argument", "Context", "Ether", "HandlerName", "Keyword", "Names", "Optional", "Prefix",
    "Required", "RequiredKeyword", "Rest", *_types,
]  # fmt: skip
