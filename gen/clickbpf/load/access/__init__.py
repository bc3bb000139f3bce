"""Loaded routers as other processes see them: which there are, and their handlers."""
