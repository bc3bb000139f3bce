"""Reading traces: the paths of packets through a loaded router."""
