"""A kernel path: loaded, attached to devices, and a runtime on it."""
