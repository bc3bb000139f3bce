"""A loaded router in the file system: its pins, folder, record, log, processes."""
