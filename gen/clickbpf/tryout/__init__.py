"""Trying a router out: namespaces with a Linux host on each of its devices, made for it and removed after it.

`addresses` finds out the router's addresses from the configuration, and which ones its hosts need, `lab` makes the namespaces,
`guard` removes what is left when the process that made them was killed.
"""
