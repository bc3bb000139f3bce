"""What is in the file system of a loaded router: pins, its folder, record, log, processes."""
