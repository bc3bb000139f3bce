"""Everything that element classes' files import: `from clickbpf.declare import Bool, Element, Keyword, PerThread, sum_handler, u64`.

The modules below describe these names; begin with vocabulary/element.py.
"""

# ruff: noqa: F401 – imported for others to import from here

from typing import Self

from clickbpf.args import *  # noqa: F403 – the types of arguments and their declarations, as listed there
from clickbpf.args.fraction import unparse_binary, unparse_decimal
from clickbpf.args.types.quantity import unparse_time
from clickbpf.args.types.reference import is_a
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.lang.config import quote, shift_word, split_args, split_words, split_words_at, uncomment, unquote
from clickbpf.nearest import did_you_mean
from clickbpf.objects.cnames import c_names
from clickbpf.objects.ctext import c_enum, c_string
from clickbpf.vocabulary.alignment import ETHER_HLEN, FRAME, HALF, WORD, AlignmentRule
from clickbpf.vocabulary.annotations import ANNOTATIONS, CARRIED
from clickbpf.vocabulary.configuring import declared_class, expect_one_per_port, read_each, unconnected
from clickbpf.vocabulary.element import AGNOSTIC, CONTROL, KERNEL, PULL, PULL_TO_PUSH, PUSH, PUSH_TO_PULL, USER, Constants, Copies, Element
from clickbpf.vocabulary.forms import ANY, ETHERNET, FRAMES, MARKED, NETWORK, NEW, Form
from clickbpf.vocabulary.handlers import (
    Handler,
    change_settings,
    control_handler,
    field_handlers,
    numbered_handlers,
    read_handler,
    reset_handler,
    sum_handler,
    value_handlers,
    write_handler,
)
from clickbpf.vocabulary.held import ANEW, COUNTED, KEPT, LOST, Held
from clickbpf.vocabulary.lane import LANE, LANE_COUNT, MOST_WAITING
from clickbpf.vocabulary.looks import ALL, Look
from clickbpf.vocabulary.rights import Right
from clickbpf.vocabulary.roles import *  # noqa: F403 – all of them
from clickbpf.vocabulary.state import (
    SETTINGS,
    Array,
    Common,
    DirectArray,
    PerThread,
    Private,
    State,
    Vars,
    View,
    be16,
    be32,
    ether,
    for_runtime,
    outliving,
    ptr,
    s32,
    s64,
    u8,
    u16,
    u32,
    u64,
)
from clickbpf.vocabulary.traits import *  # noqa: F403 – all of them

#: Traits that have become roles.
_GONE = {"DELAYS": "Delayer", "RECONFIGURABLE": "Reconfigurable"}


def __getattr__(name: str) -> None:
    if name in _GONE:
        raise ImportError(f"there is no trait {name}: derive the class from {_GONE[name]}")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
