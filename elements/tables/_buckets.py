"""The number of buckets of a hash table."""


def bucket_count(places: int, ways: int, least: int = 1) -> int:
    """The number of buckets with `ways` places each, a power of two, that together have at least this many places."""
    return max(least, 1 << (-(-places // ways) - 1).bit_length())
