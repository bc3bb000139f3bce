"""Routes that are read many at once, as long as they are in a plain form (`run` of their readers): they are what each is by itself."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from clickbpf.lang.config import split_args


def written(address: str, routes: list[str]) -> st.SearchStrategy[str]:
    """Configurations of these routes; between them may be comments, with an address."""
    between = st.sampled_from(["", " ", "\n", f"/* {address}/9 9, */", f"// {address}/9 9,\n", "/**/ // */\n"])
    arguments = st.lists(st.tuples(between, st.sampled_from(routes), between), max_size=12)
    return arguments.map(lambda given: "".join(f"{before}{route}{after}," for before, route, after in given))


def assert_read_as_each_is(config: str, reader: Any, one: Callable[[str], Any], plain: list[str]) -> None:
    """A run ends where the next argument is not in the plain form, and has what each of its arguments is."""
    texts, end, start = [text for text, _ in split_args(config)], 0, 0
    while (run := reader.run(config, start))[1] > start:
        routes, start = run
        assert list(routes) == [one(text) for text in texts[end : end + len(routes)]]
        end += len(routes)
    offsets = [offset for _, offset in split_args(config)]
    assert start <= offsets[end] if end < len(offsets) else start == len(config)
    assert end == len(texts) or texts[end] not in plain
