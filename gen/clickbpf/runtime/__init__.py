"""The Python side of the user-space runtime: it loads the native router, controls it, and answers its handlers."""
