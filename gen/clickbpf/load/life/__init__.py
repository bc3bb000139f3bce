"""A router's life: loaded, run, replaced, asked, taken out."""
