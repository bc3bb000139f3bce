"""Routers as pictures, in Click's style. `picture` determines what is drawn: boxes with ports, lines between them, and which compounds are

folded. `dot` writes a picture for Graphviz, which lays it out (`layout`); `svg` draws the layout, and `page` makes an HTML page of
drawings.
"""
