"""A loaded router as it is seen from outside: what its elements count, hold and drop. Nothing is asked of packets or programs."""
