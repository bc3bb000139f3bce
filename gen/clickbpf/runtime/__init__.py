"""The user-space runtime's host: loads the native router, drives it, and answers for its handlers."""
