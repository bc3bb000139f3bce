"""A page for browsers: running routers and configurations in files, as live pictures.

`guard` admits clients, `subjects` has the routers and files, `drawing` draws them, `live` measures what changes; `server` joins
them. The page itself is in `page/`: modules that browsers load unchanged. Nothing else of clickbpf uses this package.
"""
