"""What editors ask about a configuration while it is written: `clickbpf lsp`.

`words` finds names and what they mean in a text, whatever mistakes it has; `analysis` has the checker's diagnostics and, of a router
without mistakes, the plan; `answers` answers questions from both, and `server` speaks the Language Server Protocol.
Positions are (line, column) from 0, columns in characters.
"""
