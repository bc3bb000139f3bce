"""The kernel's interfaces: libbpf and its objects, netlink, namespaces, drivers' features and processes' capabilities."""
