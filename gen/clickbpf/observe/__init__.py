"""Observing a loaded router from outside: what its elements count, hold and drop, without any cost for packets or programs."""
