"""Loaded routers as other processes see them: the list of routers, and their handlers."""
