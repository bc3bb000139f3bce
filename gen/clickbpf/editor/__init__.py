"""Support for editors while a configuration is written: `clickbpf lsp`. `words` finds names and their meanings in a text, whatever mistakes

it has; `analysis` has the checker's diagnostics and, for a router without mistakes, the plan; `answers` answers questions from both; and
`server` speaks the Language Server Protocol. Positions are (line, column) from 0; columns are characters.
"""
