"""A loaded router's own processes: the runtime's service, started, served, kept and ended."""
