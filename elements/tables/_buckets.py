"""How many buckets a hash table has."""


def bucket_count(places: int, ways: int, least: int = 1) -> int:
    """The power of two of buckets of `ways` places each that have at least so many places together."""
    return max(least, 1 << (-(-places // ways) - 1).bit_length())
