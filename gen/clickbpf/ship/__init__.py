"""Objects in the formats of other loaders."""
