"""A router's life: it is loaded or run, previewed, replaced, confirmed, unloaded."""
