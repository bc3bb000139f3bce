"""The command line: `clickbpf COMMAND ...`, one file for each command."""
