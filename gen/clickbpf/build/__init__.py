"""Compilers and their results."""
