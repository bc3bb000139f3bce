"""The manual as a folder of Markdown and drawings, which mkdocs makes a site of (`make docs`).

`pages` has the texts that people write, wherever they are in the tree; `links` turns links between files into links between pages;
`elements`, `commands` and `routers` write the pages that follow from the classes, the command line and the files of configs/.
A configuration in a page that `<!-- drawn -->` comes before gets its drawing below it.
"""
