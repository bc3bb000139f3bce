"""The kernel path of a running router gives way to another: that of another router, of other arguments, of a traced build."""
