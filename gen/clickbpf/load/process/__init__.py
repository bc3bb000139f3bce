"""A loaded router's processes: the runtime's service and its keeper."""
