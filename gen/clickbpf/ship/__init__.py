"""Routers' objects in the formats of other loaders."""
