"""Trying a router out: temporary namespaces with a Linux host on each of the router's devices.

`addresses` finds the router's addresses in the configuration, and chooses those of its hosts; `lab` makes the namespaces; `guard` removes
them if the process that made them is killed.
"""
