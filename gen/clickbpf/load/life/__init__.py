"""A router's life: loaded or run, previewed, replaced, confirmed, taken out."""
