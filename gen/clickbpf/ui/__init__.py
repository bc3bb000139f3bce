"""A page for browsers with live pictures of running routers, and of configurations in files.

`guard` admits clients, `subjects` has the routers and files, `drawing` draws them, and `live` measures rates; `server` joins these. The
page itself is in `page/`: modules that browsers load unchanged. Only the command `clickbpf ui` uses this package.
"""
