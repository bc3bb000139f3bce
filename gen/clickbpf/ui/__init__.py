"""A page for browsers: routers that run and configurations in files, as pictures that live.

`guard` says who is let in, `subjects` what there is to see, `drawing` how it is drawn, `live` what changes while one looks; `server`
joins them. The page itself is in `page/`: modules that browsers take as they are. Nothing else of clickbpf knows this package.
"""
