"""What the address sanitizer has to find: test_memory.py runs this and expects it to fail."""


def test_beyond_the_end(run):
    run("InfiniteSource(LENGTH 20, LIMIT 1) -> Beyond -> Discard").settle()
