"""Routers as pictures, in Click's manner.

`picture` determines what is drawn: boxes with ports, and lines between them, compounds folded or not. `dot` writes a picture for
Graphviz, which lays it out (`layout`); `svg` draws the layout, `page` makes a page for browsers of the drawings.
"""
