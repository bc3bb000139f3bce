"""Loaded routers in the file system: their pins, folders, records, logs and processes."""
