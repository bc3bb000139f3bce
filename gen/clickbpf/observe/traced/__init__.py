"""Reading traces: what packets meet in a loaded router."""
