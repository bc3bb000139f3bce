"""The kernel's own interfaces: libbpf and its objects, netlink, namespaces, what a driver and a process can do."""
