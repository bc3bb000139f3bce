"""Putting a built router into the kernel and taking it out again."""
